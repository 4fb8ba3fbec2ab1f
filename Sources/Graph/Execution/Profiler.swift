import Foundation

/// Adds up the time that each node of a model takes over any number of runs.
package final class Profiler {
  /// Nanoseconds for each node, by its index in the compiled graph.
  package private(set) var nanoseconds: [UInt64]
  /// Runs of the first node that took time.
  package private(set) var runs = 0
  private var start: UInt64 = 0
  private var first = -1

  package init(nodeCount: Int) {
    nanoseconds = [UInt64](repeating: 0, count: nodeCount)
  }

  func begin() { start = DispatchTime.now().uptimeNanoseconds }

  func end(node: Int) {
    nanoseconds[node] += DispatchTime.now().uptimeNanoseconds - start
    if first < 0 { first = node }
    if node == first { runs += 1 }
  }
}
