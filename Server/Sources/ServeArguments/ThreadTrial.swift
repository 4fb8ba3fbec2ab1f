import Apus
import ApusServer
import CProcess

/// Whether the system grants a server its threads: where it does not, libdispatch tries again for ever, and SwiftNIO ends the
/// process by a signal.
enum ThreadTrial {
  /// Those that libdispatch takes for a program's first task.
  private static let dispatchThreads = 3
  /// Those that write the log, read what libraries write to it, and wait for the disk.
  private static let queueThreads = 6
  /// More are tried for nobody: they would not fit on the stack that keeps count of them.
  private static let most = 4096

  /// Those of Swift's tasks, of connections and of models.
  static var wanted: Int {
    min(dispatchThreads + queueThreads + HTTPServer.connectionThreads + WorkerThreads.count, most)
  }

  /// To be called before anything is waited for.
  /// - Parameter start: starts so many threads that end again, and says how many the system granted.
  /// - Throws: ``ApusError`` of kind `resources` when there are too few.
  static func check(
    start: (Int) -> Int = { Int(apus_start_trial_threads(Int32(clamping: $0))) }
  ) throws(ApusError) {
    let wanted = wanted
    let started = start(wanted)
    guard started < wanted else { return }
    throw ApusError(
      .resources, "this process may have \(started) more threads (ulimit -u)",
      expected: "at least \(wanted)", advice: "Raise the limit, or the control group's.")
  }
}
