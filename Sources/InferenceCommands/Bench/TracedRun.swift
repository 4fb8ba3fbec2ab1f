import Graph
import Kernels

/// When each node of a run was computed, and by which threads.
struct TracedRun {
  /// The profiler, whose latest events belong to the run.
  let profiler: Profiler
  /// When the first node began, in the profiler's nanoseconds.
  let begin: UInt64
  /// Of threads of the pool.
  let parts: [JobPart]

  /// - Parameter parts: at the run or before.
  init(_ profiler: Profiler, parts: [JobPart]) {
    let begin = profiler.latest.compactMap { $0?.start }.min() ?? 0
    self.profiler = profiler
    self.begin = begin
    self.parts = parts.filter { $0.start >= begin }
  }

  /// The work of each thread while a node was computed; for the thread that runs the model, all but waiting.
  func parts(ofNode index: Int) -> [JobPart] {
    guard let node = profiler.latest[index] else { return [] }
    let end = node.start + node.duration
    let shared = parts.filter { node.start <= $0.start && $0.end <= end }.sorted { $0.start < $1.start }
    let waits = shared.filter { $0.activity == .wait }
    var own: [JobPart] = []
    var start = node.start
    for wait in waits {
      own.append(JobPart(thread: 0, activity: .work, start: start, end: wait.start))
      start = wait.end
    }
    own.append(JobPart(thread: 0, activity: .work, start: start, end: end))
    return (own + waits + shared.filter { $0.thread > 0 }).filter { $0.start < $0.end }
  }
}
