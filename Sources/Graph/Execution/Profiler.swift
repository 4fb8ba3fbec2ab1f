import Dispatch

/// Adds up the time that each node of a model takes over any number of runs, and keeps the course of the last.
package final class Profiler {
  /// When a node began and how long it took, in nanoseconds.
  package struct Event: Sendable {
    package let start: UInt64
    package let duration: UInt64
  }

  /// Nanoseconds for each node, by its index in the compiled graph.
  package private(set) var nanoseconds: [UInt64]
  /// For each node, its latest execution; nil where there was none.
  package private(set) var latest: [Event?]
  /// Runs of the first node that took time.
  package private(set) var runs = 0
  private var start: UInt64 = 0
  private var first = -1

  package init(nodeCount: Int) {
    nanoseconds = [UInt64](repeating: 0, count: nodeCount)
    latest = [Event?](repeating: nil, count: nodeCount)
  }

  func begin() { start = DispatchTime.now().uptimeNanoseconds }

  func end(node: Int) {
    let duration = DispatchTime.now().uptimeNanoseconds - start
    nanoseconds[node] += duration
    latest[node] = Event(start: start, duration: duration)
    if first < 0 { first = node }
    if node == first { runs += 1 }
  }
}
