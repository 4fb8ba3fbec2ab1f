import Dispatch

/// The engine of the watches of several roots: a queue, a timer, and the tasks that wait for events. No thread waits.
///
/// Sendable although it holds state: all of it is touched on its queue only.
final class WatchEngine: @unchecked Sendable {
  /// Somebody who waits for an event, or has been told to wait no longer.
  private final class Waiter: @unchecked Sendable {
    var continuation: CheckedContinuation<WatchEvent?, Never>?
    var isCancelled = false

    func resume(_ event: WatchEvent?) {
      continuation?.resume(returning: event)
      continuation = nil
    }
  }

  let queue = DispatchQueue(label: "apus.watch", qos: .utility)
  private let timer: any DispatchSourceTimer
  private var roots: [RootWatch] = []
  private var waiters: [Waiter] = []
  private var isStopped = false

  init(_ roots: [(path: String, options: WatchOptions)], mounts: @escaping @Sendable () -> MountTable) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.tick() }
    timer.resume()
    queue.async { [weak self] in
      guard let self, !isStopped else { return }
      self.roots = roots.map { root in
        RootWatch(root.path, root.options, mounts: mounts, on: self.queue) { [weak self] in self?.deliver() }
      }
      deliver()
    }
  }

  /// Ends all watches; who waits gets nil.
  func stop() {
    queue.async { [self] in
      isStopped = true
      timer.cancel()
      roots = []
      for waiter in waiters { waiter.resume(nil) }
      waiters = []
    }
  }

  /// - Returns: nil when the task is cancelled.
  func next() async -> WatchEvent? {
    let waiter = Waiter()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { self.add(waiter, continuation) }
      }
    } onCancel: {
      queue.async { self.cancel(waiter) }
    }
  }

  private func add(_ waiter: Waiter, _ continuation: CheckedContinuation<WatchEvent?, Never>) {
    waiter.continuation = continuation
    guard !waiter.isCancelled, !isStopped else { return waiter.resume(nil) }
    waiters.append(waiter)
    deliver()
  }

  private func cancel(_ waiter: Waiter) {
    waiter.isCancelled = true
    waiter.resume(nil)
    waiters.removeAll { $0 === waiter }
  }

  private func tick() {
    let now = ContinuousClock.now
    for root in roots { root.tick(now) }
    deliver()
  }

  /// Gives events that are due to those who wait, and sets the timer for the next ones.
  private func deliver() {
    let now = ContinuousClock.now
    for root in roots {
      while !waiters.isEmpty, let event = root.takeEvent(now) { waiters.removeFirst().resume(event) }
    }
    guard let next = roots.map({ $0.nextTime(after: now) }).min() else { return }
    let wait = max(next - now, .zero).components
    let nanoseconds =
      Int(clamping: min(wait.seconds, 1_000_000)) * 1_000_000_000 + Int(wait.attoseconds / 1_000_000_000)
    timer.schedule(deadline: .now() + .nanoseconds(nanoseconds))
  }
}
