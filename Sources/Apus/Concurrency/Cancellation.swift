import Synchronization

/// Tells work on another thread that nobody waits for its result any more.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isRequested: Bool { flag.load(ordering: .relaxed) }

  func request() { flag.store(true, ordering: .relaxed) }
}
