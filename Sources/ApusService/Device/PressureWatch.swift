import CLibrary
import Kernels
import Synchronization
import TensorCore

/// Waits for words of pressure on a thread of its own, and looks at the used shares now and then.
final class PressureWatch: Sendable {
  private let options: MemoryPressure.Options
  private let share: @Sendable () -> Double?
  private let isStopped = Atomic<Bool>(false)

  private init(_ options: MemoryPressure.Options, share: @escaping @Sendable () -> Double?) {
    (self.options, self.share) = (options, share)
  }

  /// Where no thread is granted, a task looks at the shares, and no word is heard.
  /// - Parameters:
  ///   - start: starts a thread, and returns whether one was granted.
  ///   - share: the used share of the limits, where that is the most.
  static func levels(
    _ options: MemoryPressure.Options, triggers: [PressureTrigger],
    start: (@escaping @Sendable () -> Void) -> Bool = { WorkerThread.start(stackByteCount: 256 << 10, $0) },
    share: @escaping @Sendable () -> Double? = { try? MemoryStatus.current().share }
  ) -> AsyncStream<MemoryPressure.Level> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let watch = PressureWatch(options, share: share)
      continuation.onTermination = { _ in watch.isStopped.store(true, ordering: .relaxed) }
      let isStarted = start { watch.run(triggers) { continuation.yield($0) } }
      guard !isStarted else { return }
      let task = Task { await watch.lookAtShares { continuation.yield($0) } }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// As ``run(_:_:)`` without triggers, but for the thread: what waits for words would keep one of Swift's pool.
  private func lookAtShares(_ tell: (MemoryPressure.Level) -> Void) async {
    var gauge = PressureGauge(options)
    var told: MemoryPressure.Level?
    while !Task.isCancelled {
      if let share = share() { gauge.note(share: share) }
      let level = gauge.level(at: .now)
      if level != told { tell(level) }
      told = level
      try? await Task.sleep(for: max(options.interval, .milliseconds(1)))
    }
  }

  private func run(_ triggers: [PressureTrigger], _ tell: (MemoryPressure.Level) -> Void) {
    var triggers = triggers
    var gauge = PressureGauge(options)
    var told: MemoryPressure.Level?
    var nextLook = ContinuousClock.now
    while !isStopped.load(ordering: .relaxed) {
      if ContinuousClock.now >= nextLook {
        if let share = share() { gauge.note(share: share) }
        nextLook = .now + options.interval
      }
      let level = gauge.level(at: .now)
      if level != told { tell(level) }
      told = level
      let words = wait(for: triggers)
      for (trigger, word) in zip(triggers, words) where word & trigger.events != 0 {
        trigger.takeWord()
        gauge.note(trigger.level, at: .now)
      }
      // A control group that is gone, say, has no more to tell.
      let gone = Int16(POLLERR | POLLHUP | POLLNVAL)
      triggers = zip(triggers, words).filter { $1 & gone == 0 }.map(\.0)
    }
  }

  /// Waits for the triggers' events, at most a second or the interval.
  private func wait(for triggers: [PressureTrigger]) -> [Int16] {
    var polled = triggers.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    let milliseconds = min(max(options.interval / .milliseconds(1), 1), 1000)
    // What fails, for a signal say, has nothing to say.
    let count = poll(&polled, nfds_t(polled.count), CInt(milliseconds))
    return count > 0 ? polled.map(\.revents) : triggers.map { _ in 0 }
  }
}
