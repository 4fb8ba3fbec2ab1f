import CLibrary
import CProcess
import Kernels
import TensorCore

/// The limits of the system that the process runs under. Below some of them the runtime ends it by a signal before
/// anything can be said, or waits without end.
package enum ProcessLimits {
  private struct Floor {
    let resource: Int32
    let name: String
    let least: UInt64
  }

  private static let floors = [
    Floor(resource: Int32(RLIMIT_STACK.rawValue), name: "bytes of stack (ulimit -s)", least: 256 << 10),
    Floor(resource: Int32(RLIMIT_NOFILE.rawValue), name: "open files (ulimit -n)", least: 8),
    // Each thread has a stack of 8 MiB.
    Floor(
      resource: Int32(RLIMIT_AS.rawValue), name: "bytes of addresses (ulimit -v)",
      least: (192 << 20) + UInt64(ThreadPool.shared.size) * (9 << 20)),
  ]

  /// - Throws: ``ApusError`` of kind `resources` when a limit is too low to run at all.
  package static func check() throws(ApusError) {
    for floor in floors {
      var limit = rlimit()
      guard getrlimit(floor.resource, &limit) == 0, limit.rlim_cur < floor.least else { continue }
      throw ApusError(
        .resources, "this process may have \(limit.rlim_cur) \(floor.name)",
        expected: "at least \(floor.least)",
        advice: "Raise the limit.")
    }
    try checkThreads()
  }

  /// Threads that libdispatch takes for a program's first task; it takes another for each task that runs meanwhile.
  private static let leastThreads = 3

  /// libdispatch tries again for ever where it gets no thread. Limits of a control group are met by the first threads;
  /// one of the user may leave some and not enough, for which all are tried.
  private static func checkThreads() throws(ApusError) {
    let most = leastThreads + ThreadPool.shared.size
    let wanted = apus_may_lack_threads(Int32(most)) == 0 ? leastThreads : most
    let started = Int(apus_start_trial_threads(Int32(wanted)))
    guard started < wanted else { return }
    throw ApusError(
      .resources, "this process may have \(started) more threads (ulimit -u)",
      expected: "at least \(wanted)", advice: "Raise the limit, or the control group's.")
  }
}
