import Synchronization

@testable import ApusService

/// A clock that a test sets.
final class FakeClock: Sendable {
  private let nanoseconds = Atomic<UInt64>(1_000_000_000_000)

  var seconds: Double {
    get { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }
    set { nanoseconds.store(UInt64(newValue * 1e9), ordering: .relaxed) }
  }

  var clock: MonitorClock {
    MonitorClock(
      nanoseconds: { [self] in nanoseconds.load(ordering: .relaxed) },
      timeOfDay: { [self] in 1_700_000_000 + seconds })
  }

  /// A monitor that goes by it, on a machine without energy counters.
  var monitor: PerformanceMonitor {
    PerformanceMonitor(MonitorCommons(clock: clock, powerFolder: "/nonexistent"))
  }
}

extension LatencyRecorder {
  /// Records so many runs of a length.
  func record(_ runs: Int, milliseconds: Double) {
    for _ in 0..<runs { record(.total, nanoseconds: UInt64(milliseconds * 1e6)) }
  }
}

extension Duration {
  /// Within ten nanoseconds: recorded times are whole ones.
  func isNear(_ other: Duration) -> Bool { abs((self - other) / .nanoseconds(1)) < 10 }
}
