import TensorCore

extension PerformanceSnapshot.Memory {
  /// That of this process; nil where the system does not say.
  static var current: Self? {
    let numbers = KernelNumbers(KernelFile.text("/proc/self/status") ?? "")
    guard let resident = numbers["VmRSS"], let peak = numbers["VmHWM"] else { return nil }
    return Self(residentByteCount: resident, peakByteCount: peak)
  }
}
