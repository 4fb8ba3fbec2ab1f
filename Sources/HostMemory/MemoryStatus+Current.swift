import CLibrary
import Kernels
import TensorCore

extension MemoryStatus {
  /// The limits and what is used of them now. Takes about half a millisecond.
  /// - Throws: ``ApusError`` of kind `resources` where the system does not tell (`/proc` is not there).
  public static func current() throws(ApusError) -> MemoryStatus {
    guard let machine = MachineMemory.current, let process = ProcessMemory.current else {
      throw ApusError(
        .resources, "the system does not say how much memory there is",
        expected: "MemTotal, MemAvailable in /proc/meminfo and VmSize, VmRSS in /proc/self/status")
    }
    let groups = ControlGroups(of: "memory")
    return MemoryStatus(
      bounds: [machine] + groups.folders.compactMap { bound(of: $0, among: groups) } + limits(of: process),
      process: process)
  }

  /// Nil where the group sets no limit.
  package static func bound(of folder: String, among groups: ControlGroups) -> Bound? {
    let isUnified = groups.isUnified
    guard let limit = groups.memoryLimit(of: folder),
      let usage = KernelFile.text("\(folder)/" + (isUnified ? "memory.current" : "memory.usage_in_bytes")),
      let used = Int(usage.trimmed), used >= 0
    else { return nil }
    let statistics = KernelNumbers(KernelFile.text("\(folder)/memory.stat") ?? "")
    return Bound(
      .controlGroup(folder: folder), limit: limit, used: used - cached(statistics, isUnified: isUnified))
  }

  /// Bytes of files that are cached, and that no process has mapped: they go first when the group needs memory.
  private static func cached(_ statistics: KernelNumbers, isUnified: Bool) -> Int {
    let prefix = isUnified ? "" : "total_"
    let mapped = isUnified ? "file_mapped" : "total_mapped_file"
    let files = ["active_file", "inactive_file"].reduce(0) { $0 + (statistics[prefix + $1] ?? 0) }
    return max(0, files - (statistics[mapped] ?? 0))
  }

  private static func limits(of process: ProcessMemory) -> [Bound] {
    [
      (Source.addressSpace, Int32(RLIMIT_AS.rawValue), process.addresses),
      (Source.data, Int32(RLIMIT_DATA.rawValue), process.data),
    ].compactMap { source, resource, used in
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0, limit.rlim_cur < UInt64(Int.max) else { return nil }
      return Bound(source, limit: Int(limit.rlim_cur), used: used)
    }
  }
}

/// The memory of the machine.
private enum MachineMemory {
  static var current: MemoryStatus.Bound? {
    let numbers = KernelNumbers(KernelFile.text("/proc/meminfo") ?? "")
    guard let total = numbers["MemTotal"], let available = numbers["MemAvailable"] else { return nil }
    return MemoryStatus.Bound(.machine, limit: total, used: total - available)
  }
}
