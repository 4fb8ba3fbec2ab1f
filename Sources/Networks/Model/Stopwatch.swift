import Dispatch

/// Measures consecutive stages.
package struct Stopwatch {
  private var last = DispatchTime.now().uptimeNanoseconds

  package init() {}

  /// Milliseconds since the last lap, or since the start.
  package mutating func lap() -> Double {
    let now = DispatchTime.now().uptimeNanoseconds
    defer { last = now }
    return Double(now - last) / 1e6
  }
}
