import Apus
import TensorCore

extension ModelStore {
  /// Has something done with a model, and records how long that takes, and whether it fails, in the ``monitor``. Opening
  /// the model is not counted. Results that state the times of their stages are recorded with those.
  ///
  ///     let store = try ModelStore()
  ///     let leaf = ServiceModel<ImageClassifier>("leaf", at: "leaf.tflite")
  ///     let result = try await store.run(leaf) { try await $0.classify("leaf.jpg") }
  ///     print(result.predictions[0].label)
  ///
  /// A model whose ``ServiceModel/isAdaptive`` is true gives way to its next form when fewer than 80 % of at least 50 runs
  /// kept to its target.
  /// - Throws: ``ApusError``: what ``model(for:)`` throws, and what the body throws of this type, which then says with the
  ///   failure `invalidInput` that it is of the caller's picture, file or argument, and with `inferenceFailed` any other.
  ///   Every other error of the body comes as it is.
  public nonisolated(nonsending) func run<Model, Output>(
    _ type: ServiceModel<Model>, _ body: (Model) async throws -> Output
  ) async throws -> Output {
    let model = try await model(for: type)
    let recorder = state.withLock { $0.entries[ExactText(type.name)]?.recorder }
    let clock = ContinuousClock()
    let begin = clock.now
    do {
      let output = try await body(model)
      let time = (clock.now - begin).nanoseconds
      recorder?.record(output, total: time)
      adapt(type, to: time)
      return output
    } catch {
      let own = (error as? ApusError).map { ApusError.run(type.name, $0) }
      if own?.kind != .cancelled, !(error is CancellationError) { recorder?.recordFailure() }
      throw own ?? error
    }
  }

  /// Gives a better form up that misses its target too often.
  private func adapt<Model>(_ type: ServiceModel<Model>, to nanoseconds: UInt64) {
    guard type.isAdaptive, let target = type.latencyTarget?.nanoseconds else { return }
    let time = surroundings.now()
    let misses = state.withLock { state -> Bool in
      guard let index = state.entries.index(forKey: ExactText(type.name)) else { return false }
      return state.entries.values[index].misses(nanoseconds, target, at: time, recovery: options.recovery)
    }
    if misses { reload(type) }
  }

  /// Tries better forms again that were given up long enough ago.
  func recover(at time: UInt64) {
    let due = state.withLock { $0.dueForRecovery(at: time) }
    for reload in due { reload(self) }
  }
}

extension StoreEntry {
  /// Takes down a run.
  /// - Returns: whether the next form is to take over.
  fileprivate mutating func misses(
    _ nanoseconds: UInt64, _ target: UInt64, at time: UInt64, recovery: Duration
  ) -> Bool {
    guard wanted == variant, isLoaded else { return false }
    guard watch.misses(nanoseconds, target: target), variant + 1 < qualities.count else { return false }
    giveUp(variant, at: time, recovery: recovery)
    return true
  }

  /// Whether a better form is to be tried again; it is the one that is wanted then.
  mutating func isDueForRecovery(at time: UInt64) -> Bool {
    guard let due = recovery, time >= due, load == nil, wanted > 0 else { return false }
    recovery = nil
    wanted -= 1
    return isLoaded
  }
}

extension LatencyRecorder {
  /// The stages that a result states, and the whole time of a run.
  fileprivate func record<Output>(_ output: Output, total nanoseconds: UInt64) {
    if let times = (output as? any TimedResult)?.times { recordStages(times) }
    record(.total, nanoseconds: nanoseconds)
  }
}
