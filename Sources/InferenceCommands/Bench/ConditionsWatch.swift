import CLibrary
import KernelBenchmarks
import Kernels

/// Observes the machine from its making on, for the thread that makes it.
struct ConditionsWatch {
  private let threads: Int
  private let load = MachineLoad()
  private let wall = Self.nanoseconds(CLOCK_MONOTONIC)
  private let own = Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID)

  /// The system counts in hundredths of a second: what others use is told of longer times only.
  private static let leastNanoseconds = 300_000_000.0

  /// - Parameter threads: of what is measured.
  init(threads: Int) { self.threads = threads }

  /// Since the making.
  var conditions: Conditions {
    let elapsed = Self.nanoseconds(CLOCK_MONOTONIC) - wall
    let computed = Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID) - own
    let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let share = elapsed < Self.leastNanoseconds ? nil : load.flatMap { MachineLoad()?.share(since: $0) }
    return Conditions(
      waited: elapsed > 0 ? max(0, 1 - computed / elapsed) : 0, others: share.map { $0 * Double(processors) },
      processors: processors, threads: threads)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
