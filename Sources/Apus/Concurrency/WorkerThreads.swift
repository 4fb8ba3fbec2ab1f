import Dispatch
import Kernels
import Synchronization
import TensorCore

/// Threads for work that takes its time, such as inference or decoding, so that it never blocks one of Swift's
/// cooperative pool. Pieces of work leave each other a processor; one alone has all of them.
public enum WorkerThreads {
  /// How many work at a time: as many as there are processors for them.
  public static var count: Int { ThreadPool.shared.size }

  /// Does the work, and returns a closure that resumes the caller. The work's references, such as a model, are released
  /// between the two, so that the caller may rely on it.
  private typealias Work = @Sendable () -> @Sendable () -> Void

  private struct State {
    /// The oldest first.
    var waiting: [Work] = []
    var threads = 0
  }

  private static let state = Lock(State())

  /// Has work done in its turn, the oldest first.
  ///
  ///     let image = try await WorkerThreads.run { _ in try ImageDecoder.decode(contentsOf: "photo.jpg").image }
  ///
  /// - Parameter work: what is done. Its argument says whether the calling task is cancelled meanwhile; work that waits
  ///   for its turn then is still called.
  /// - Throws: what `work` throws.
  public static func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let isCancelled = Atomic<Bool>(false)
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
        add {
          let result = Result { () throws(Failure) in try work { isCancelled.load(ordering: .relaxed) } }
          return { continuation.resume(returning: result) }
        }
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }.get()
  }

  private static func add(_ work: @escaping Work) {
    let needsThread = state.withLock { state in
      state.waiting.append(work)
      guard state.threads < count else { return false }
      state.threads += 1
      return true
    }
    // Dispatch counts what runs on its concurrent queues, Swift's tasks too, and starts no more than there are processors:
    // work there would keep tasks waiting. A serial queue has a thread whatever else runs.
    if needsThread { DispatchQueue(label: "apus.worker").async { while let tell = done() { tell() } } }
  }

  /// Does the work whose turn it is; nil when a thread is no longer needed.
  private static func done() -> (@Sendable () -> Void)? {
    next().map { work in ThreadPool.shared.working { work() } }
  }

  /// The work whose turn it is; nil when a thread is no longer needed.
  private static func next() -> Work? {
    state.withLock { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.threads -= 1
      return nil
    }
  }
}
