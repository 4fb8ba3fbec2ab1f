import Kernels
import Testing

@Suite struct SharingPauseTests {
  private static let millisecond: UInt64 = 1_000_000

  @Test func workIsSharedAtFirst() {
    let pause = SharingPause()
    let isOver = pause.isOver(0)
    #expect(isOver)
  }

  /// As long as the thread worked itself, and a fifth of a millisecond, is no sign of one that stands still.
  @Test(arguments: [
    (0, 200_000, true), (0, 200_001, false), (900_000, 1_100_000, true), (900_000, 1_100_001, false),
  ])
  func longWaitsPause(_ worked: UInt64, _ waited: UInt64, _ isShared: Bool) {
    let pause = SharingPause()
    pause.note(worked: worked, waited: waited, now: 10 * Self.millisecond)
    let isOver = pause.isOver(10 * Self.millisecond)
    #expect(isOver == isShared)
  }

  /// Each pause that follows soon is twice as long, up to 256 ms; the next after a longer time is short again.
  @Test func pausesGrow() {
    let pause = SharingPause()
    var now = Self.millisecond
    for length in [2, 4, 8, 16, 32, 64, 128, 256, 256] as [UInt64] {
      pause.note(worked: 0, waited: 5 * Self.millisecond, now: now)
      let end = now + length * Self.millisecond
      let states = [pause.isOver(end - 1), pause.isOver(end)]
      #expect(states == [false, true])
      now = end + Self.millisecond
    }
    now += 8 * 256 * Self.millisecond
    pause.note(worked: 0, waited: 5 * Self.millisecond, now: now)
    let states = [
      pause.isOver(now + 2 * Self.millisecond - 1), pause.isOver(now + 2 * Self.millisecond),
    ]
    #expect(states == [false, true])
  }
}
