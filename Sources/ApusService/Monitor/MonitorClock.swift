import CLibrary

/// The clocks of a monitor. Windows use a clock that cannot be set; the time of day is only recorded.
struct MonitorClock: Sendable {
  /// Nanoseconds since some moment; never fewer than before.
  let nanoseconds: @Sendable () -> UInt64
  /// Seconds since 1970.
  let timeOfDay: @Sendable () -> Double

  /// The system's clocks. They advance with the scheduler, every 1 to 10 ms, which is fine enough for windows, and are read
  /// without a system call on every machine.
  static let system = MonitorClock(
    nanoseconds: { read(CLOCK_MONOTONIC_COARSE).nanoseconds },
    timeOfDay: { Double(read(CLOCK_REALTIME).nanoseconds) / 1e9 })

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

extension timespec {
  fileprivate var nanoseconds: UInt64 {
    UInt64(truncatingIfNeeded: tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: tv_nsec)
  }
}

extension Duration {
  /// The whole nanoseconds of it; 0 where it is negative, and the greatest number where it is longer than 584 years.
  var nanoseconds: UInt64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let (product, isOver) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isOverToo) = product.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
    return isOver || isOverToo ? .max : sum
  }
}
