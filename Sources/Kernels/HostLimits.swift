import CLibrary
import TensorCore

/// What this process may use of the machine.
package enum HostLimits {
  /// Threads worth having: ``threads(poolSize:openMP:processors:)`` of this process.
  package static let threads: Int = threads(
    poolSize: try? EnvironmentVariable.poolSize.number(), openMP: EnvironmentVariable.openMPThreads.value(),
    processors: min(affinity, quota ?? .max))

  /// Threads worth having: as many as processors, or as somebody says for tests; and no more than OpenMP may have, by which
  /// schedulers share a machine out.
  /// - Parameters:
  ///   - poolSize: what `APUS_POOL_SIZE` says.
  ///   - openMP: what `OMP_NUM_THREADS` says: a number, or a list for loops inside loops, of which the first counts.
  ///   - processors: those of the affinity mask, at most the control group's quota rounded up.
  package static func threads(poolSize: Int?, openMP: String?, processors: Int) -> Int {
    let first = openMP?.split(separator: ",").first.flatMap { Int($0.trimmed) }
    let most = first.flatMap { $0 > 0 ? $0 : nil } ?? .max
    return max(1, min(poolSize ?? processors, most))
  }

  /// Processors that the scheduler may put this process on.
  package static let affinity: Int = {
    guard let status = KernelFile.text("/proc/self/status"),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed:") })
    else { return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    let digits = line.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue)
    return max(1, digits.reduce(0) { $0 + $1.nonzeroBitCount })
  }()

  /// Processors' worth of time that the control groups grant; nil when none sets a limit.
  package static let processorTime: Double? = {
    let groups = ControlGroups(of: "cpu")
    return groups.folders.compactMap(groups.processorTime).min()
  }()

  /// The same rounded up.
  package static let quota: Int? = processorTime.map { Int($0.rounded(.up)) }

  /// Bytes of memory that this process may use: the machine's, or the control group's limit when it is less.
  package static let memory: Int = min(physicalMemory, memoryQuota ?? .max)

  /// Bytes of memory that the machine has.
  package static let physicalMemory: Int = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))

  /// Bytes of memory that the control groups grant; nil when none sets a limit.
  package static let memoryQuota: Int? = {
    let groups = ControlGroups(of: "memory")
    return groups.folders.compactMap(groups.memoryLimit).min()
  }()
}
