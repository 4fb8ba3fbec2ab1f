import Apus
import TensorCore

/// The models of a program: each is opened when it is first needed, kept for as long as there is room, and given back to
/// the system when it is not used.
///
///     let store = try ModelStore()
///     let leaf = ServiceModel<ImageClassifier>("leaf", at: "rice_v1_fp16.tflite")
///     let classifier = try await store.model(for: leaf)
///     print(try await classifier.classify("leaf.jpg").predictions[0].label)
///     print(try await store.run(leaf) { try await $0.classify("leaf.jpg") }.predictions[0].label)
///
/// However many ask for a model at once, it is opened once, and when that fails all of them get the error; the next who
/// asks tries again. A model is in use while anybody but the store holds it, and is never taken away then. Beyond
/// ``byteLimit`` the least recently used model goes first. A store that is released lets go of its models.
public final class ModelStore: Sendable {
  /// Bytes that all models together may take.
  public let byteLimit: Int
  /// The monitor that records the runs of ``run(_:_:)``, memory and targets.
  public let monitor: PerformanceMonitor
  let options: Options
  let surroundings: StoreSurroundings
  let state: Lock<StoreState>
  let broadcast = Broadcast<StoreEvent>(capacity: 1000)
  private let pressure = Lock<Task<Void, Never>?>(nil)

  /// A store without models.
  /// - Parameters:
  ///   - options: its limits.
  ///   - monitor: what records the runs.
  /// - Throws: ``ApusError``: kind `resources` where the system does not say how much memory there is and no limit is
  ///   given, `argument` for an option.
  public convenience init(
    options: Options = Options(), monitor: PerformanceMonitor = PerformanceMonitor()
  ) throws(ApusError) {
    try self.init(options, monitor, .system)
  }

  init(
    _ options: Options, _ monitor: PerformanceMonitor, _ surroundings: StoreSurroundings
  ) throws(ApusError) {
    try options.validate()
    byteLimit = if let limit = options.byteLimit { limit } else { try surroundings.usualLimit() }
    (self.options, self.monitor, self.surroundings) = (options, monitor, surroundings)
    state = Lock(StoreState(byteLimit: byteLimit))
    guard options.watchesPressure else { return }
    let levels = surroundings.levels(options.pressure)
    let watching = Task { [weak self] in
      for await level in levels { await self?.meet(level) }
    }
    pressure.withLock { $0 = watching }
  }

  deinit {
    pressure.withLock { $0?.cancel() }
    state.withLock { $0.keeper?.cancel() }
  }

  /// The model, opened if it is not there. A model that is there costs less than a microsecond.
  ///
  /// Cancelling the task ends the waiting; the opening itself ends with the last waiter.
  /// - Throws: ``ApusError`` whose ``ApusError/modelFailure`` says what became of the model: `notFound`, `loadFailed`,
  ///   `insufficientMemory` with the bytes, `notAvailable`; of kind `cancelled`.
  public nonisolated(nonsending) func model<Model>(
    for type: ServiceModel<Model>
  ) async throws(ApusError) -> Model {
    if let ready = try ready(type) { return ready }
    return try await opened(type)
  }

  /// The model, when it is in memory. It counts as used.
  /// - Throws: ``ApusError`` with the failure `notLoaded`, or of kind `argument` when the name is another model's.
  public func loadedModel<Model>(for type: ServiceModel<Model>) throws(ApusError) -> Model {
    if let ready = try ready(type) { return ready }
    throw .model(
      type.name, .notLoaded,
      ApusError(
        .argument, "it is not in memory",
        advice:
          "Load it with model(for:) or preload(_:) before, or ask for it with model(for:), which waits for it."
      ))
  }

  @inline(__always)
  private func ready<Model>(_ type: ServiceModel<Model>) throws(ApusError) -> Model? {
    let time = surroundings.now()
    return try state.withLock { (state) throws(ApusError) in try state.use(type, at: time) }
  }

  /// Whether the store has the model in memory.
  public func isLoaded<Model>(_ type: ServiceModel<Model>) -> Bool {
    state.withLock { $0.entries[ExactText(type.name)]?.isLoaded ?? false }
  }

  /// How often the store has opened the model: the number of the opening that what is in memory now came of.
  public func loads<Model>(of type: ServiceModel<Model>) -> Int {
    state.withLock { $0.entries[ExactText(type.name)]?.loads ?? 0 }
  }

  /// Keeps a model from being taken away by limits, times to live and pressure. It is not opened by that; unloading it
  /// is still done.
  public func pin<Model>(_ type: ServiceModel<Model>) throws(ApusError) { try setPinned(type, true) }

  /// Lets the store take the model away again.
  public func unpin<Model>(_ type: ServiceModel<Model>) throws(ApusError) { try setPinned(type, false) }

  private func setPinned<Model>(_ type: ServiceModel<Model>, _ isPinned: Bool) throws(ApusError) {
    try enter(type)
    state.withLock { $0.entries[ExactText(type.name)]?.isPinned = isPinned }
  }

  /// Events of the models from now on. Every call returns a stream of its own; a slow listener misses the oldest events.
  public var events: AsyncStream<StoreEvent> { broadcast.stream() }

  /// Makes a model known to the store.
  func enter<Model>(_ type: ServiceModel<Model>) throws(ApusError) {
    let recorder = monitor.recorder(for: type.name)
    let fingerprint = state.withLock { state in
      if let known = state.entries[ExactText(type.name)] { return known.fingerprint }
      state.entries[ExactText(type.name)] = StoreEntry(
        type, timeToLive: options.timeToLive, recorder: recorder)
      return type.fingerprint
    }
    guard fingerprint == type.fingerprint else { throw StoreState.isAnother(type.name) }
  }
}
