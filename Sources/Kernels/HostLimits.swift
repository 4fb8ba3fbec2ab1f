import CLibrary
import TensorCore

/// What this process may use of the machine.
package enum HostLimits {
  /// Threads worth having: ``threads(in:processors:)`` of this process.
  package static let threads: Int = threads(
    in: ProcessEnvironment.variables, processors: min(affinity, quota ?? .max))

  /// Threads worth having: as many as processors, or as `APUS_POOL_SIZE` (1…256) says, for tests; and no more than
  /// `OMP_NUM_THREADS` allows, by which schedulers share a machine out.
  /// - Parameter processors: those of the affinity mask, at most the control group's quota rounded up.
  package static func threads(in environment: [String: String], processors: Int) -> Int {
    let own = try? EnvironmentVariable.poolSize.number(in: environment)
    return max(1, min(own ?? processors, openMPThreads(in: environment) ?? .max))
  }

  /// The limit of `OMP_NUM_THREADS`, of whose list for loops inside loops the first number counts; nil for what is none.
  private static func openMPThreads(in environment: [String: String]) -> Int? {
    let list = EnvironmentVariable.openMPThreads.value(in: environment)?.split(separator: ",")
    return list?.first.flatMap { Int($0.trimmed) }.flatMap { $0 > 0 ? $0 : nil }
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
