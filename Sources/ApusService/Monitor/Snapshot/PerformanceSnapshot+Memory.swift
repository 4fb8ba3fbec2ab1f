import TensorCore

extension PerformanceSnapshot.Memory {
  /// That of this process; nil where the system does not say.
  static var current: Self? {
    guard let status = KernelFile.text("/proc/self/status") else { return nil }
    // Lines such as `VmRSS:     1234 kB`.
    func bytes(_ key: String) -> Int? {
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") }
      return line.flatMap { Int($0.filter(\.isNumber)) }.flatMap { $0 < Int.max >> 10 ? $0 << 10 : nil }
    }
    guard let resident = bytes("VmRSS"), let peak = bytes("VmHWM") else { return nil }
    return Self(residentByteCount: resident, peakByteCount: peak)
  }
}
