import Glibc
import TensorCore

/// What this process may use of the machine.
package enum HostLimits {
  /// Threads worth having: the processors of the affinity mask, at most the control group's quota rounded
  /// up. `APUS_POOL_SIZE` (1…256) sets another number, for tests.
  package static let threads: Int = {
    if let text = EnvironmentVariable.poolSize.value(), let size = Int(text),
      (1...256).contains(size)
    {
      return size
    }
    return max(1, min(affinity, quota ?? .max))
  }()

  /// Processors that the scheduler may put this process on.
  package static let affinity: Int = {
    guard let status = KernelFile.text("/proc/self/status"),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed:") })
    else { return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    let digits = line.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue)
    return max(1, digits.reduce(0) { $0 + $1.nonzeroBitCount })
  }()

  /// Processors' worth of time that the control group grants, rounded up; nil when it sets no limit.
  package static let quota: Int? = {
    if let text = KernelFile.text("/sys/fs/cgroup/cpu.max") {
      return quota(fields: text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
    let folder = "/sys/fs/cgroup/cpu/cpu.cfs_"
    let fields = ["quota_us", "period_us"].compactMap { KernelFile.text(folder + $0)?.trimmed }
    return quota(fields: fields)
  }()

  /// Bytes of memory that this process may use: the machine's, or the control group's limit when it is less.
  package static let memory: Int = min(physicalMemory, memoryQuota ?? .max)

  /// Bytes of memory that the machine has.
  package static let physicalMemory: Int = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))

  /// Bytes of memory that the control group grants; nil when it sets no limit.
  package static let memoryQuota: Int? = {
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"].compactMap {
      KernelFile.text($0).flatMap { Int($0.trimmed) }
    }
    // Where none is set, the older kind of control group says a number that no machine has.
    return limits.filter { $0 > 0 && $0 < physicalMemory }.min()
  }()

  /// Bytes of memory that can be had now without swapping, as the system estimates it; nil where it does not say.
  package static var availableMemory: Int? {
    let line = KernelFile.text("/proc/meminfo")?.split(separator: "\n").first {
      $0.hasPrefix("MemAvailable:")
    }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
  }

  static func quota(fields: [String]) -> Int? {
    guard fields.count == 2, let quota = Double(fields[0]), let period = Double(fields[1]), quota > 0,
      period > 0
    else { return nil }
    return Int(clamping: Int64(min((quota / period).rounded(.up), 4096)))
  }
}
