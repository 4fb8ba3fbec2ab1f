import Dispatch
import Kernels
import Synchronization
import TensorCore

/// The bridge from `async` code: inference runs on threads of its own, so that it never blocks one of
/// Swift's cooperative pool.
enum InferenceQueue {
  private struct State {
    /// The oldest first.
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private static let state = Mutex(State())

  /// The result of `work`, which is told when the calling task is cancelled.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws(ApusError) -> Value
  ) async throws(ApusError) -> Value {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, ApusError>, Never>) in
        add {
          continuation.resume(returning: Result { () throws(ApusError) in try work(cancellation) })
        }
      }
    } onCancel: {
      cancellation.request()
    }
    return try result.get()
  }

  /// Has work done in its turn, as many at a time as there are processors for them.
  private static func add(_ work: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.waiting.append(work)
      guard state.threads < ThreadPool.shared.size else { return false }
      state.threads += 1
      return true
    }
    if needsThread { DispatchQueue.global().async { while let work = next() { work() } } }
  }

  /// The work whose turn it is; nil when a thread is no longer needed.
  private static func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.threads -= 1
      return nil
    }
  }
}
