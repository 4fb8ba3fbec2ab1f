import Foundation
import Kernels
import TensorCore

/// The bridge from `async` code: inference runs on threads of its own, so that it never blocks one of
/// Swift's cooperative pool.
enum InferenceQueue {
  /// At most as many runs at a time as there are processors for them.
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "apus.inference"
    queue.maxConcurrentOperationCount = ThreadPool.shared.size
    return queue
  }()

  /// The result of `work`, which is told when the calling task is cancelled.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws(ApusError) -> Value
  ) async throws(ApusError) -> Value {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, ApusError>, Never>) in
        queue.addOperation {
          continuation.resume(returning: Result { () throws(ApusError) in try work(cancellation) })
        }
      }
    } onCancel: {
      cancellation.request()
    }
    return try result.get()
  }
}
