import Synchronization

/// Keeps work on the thread that has it for a while after it waited for another that had lost its processor.
///
/// Beside a program that keeps a processor busy, a thread there stands still for milliseconds at a time, and with it
/// all who wait for its part: two threads would be slower than one. The first pause is short, because others may be
/// through soon; each that follows soon is twice as long.
package struct SharingPause: ~Copyable, Sendable {
  private static let shortest: UInt64 = 2_000_000
  private static let longest: UInt64 = 256_000_000

  private let end = Atomic<UInt64>(0)
  private let length = Atomic<UInt64>(0)

  package init() {}

  /// Whether work is shared.
  /// - Parameter now: nanoseconds; asked for after a pause only.
  package func isOver(_ now: @autoclosure () -> UInt64) -> Bool {
    let end = end.load(ordering: .relaxed)
    return end == 0 || now() >= end
  }

  /// Takes down that a thread worked for a time, and then waited for others.
  ///
  /// No part of a job is as long as what the thread did meanwhile itself: who waits longer waits for a thread that does
  /// not run. One caller at a time.
  package func note(worked: UInt64, waited: UInt64, now: UInt64) {
    guard waited > worked + 200_000 else { return }
    let last = length.load(ordering: .relaxed)
    let isSoon = last > 0 && now < end.load(ordering: .relaxed) + 8 * last
    let next = isSoon ? min(2 * last, Self.longest) : Self.shortest
    length.store(next, ordering: .relaxed)
    end.store(now + next, ordering: .relaxed)
  }
}
