import TensorCore

/// Somebody who waits for a model that is being opened. Whoever is first decides what becomes of the waiting: the load, or
/// the cancellation of the waiting task.
final class LoadWaiter: Sendable {
  typealias Outcome = Result<any InferenceModel, ApusError>

  private enum State {
    case begun
    case waiting(CheckedContinuation<Outcome, Never>)
    /// The outcome, until it is taken.
    case done(Outcome?)
  }

  private let state = Lock(State.begun)

  /// Waits, for as long as it takes. Called once.
  nonisolated(nonsending) func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state -> Outcome? in
        guard case .done(let outcome) = state else {
          state = .waiting(continuation)
          return nil
        }
        state = .done(nil)
        return outcome
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Ends the waiting, unless it has ended before. No model is kept for those who went on with it.
  func finish(_ outcome: Outcome) {
    let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      switch state {
      case .begun: state = .done(outcome)
      case .waiting(let continuation):
        state = .done(nil)
        return continuation
      case .done: break
      }
      return nil
    }
    // Not with the lock held: who cancels the waiting task holds what resuming it needs, and ends the waiting here.
    waiting?.resume(returning: outcome)
  }
}
