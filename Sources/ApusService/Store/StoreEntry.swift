import Apus
import Networks
import TensorCore

/// A store's entry for one model.
struct StoreEntry {
  /// A model that is being opened.
  struct Load {
    let number: Int
    /// The form that is opened.
    var variant: Int
    var waiters: [LoadWaiter] = []
    var task: Task<Void, Never>?
    /// False when the model was unloaded meanwhile: those who wait get it, and the store does not keep it.
    var isKept = true
  }

  let name: String
  let displayName: String
  let fingerprint: Int
  let qualities: [ModelQuality]
  let latencyTarget: Duration?
  let expectedRate: Double?
  /// Nanoseconds; nil for as long as there is room.
  let timeToLive: UInt64?
  let isAdaptive: Bool
  let recorder: LatencyRecorder
  /// Opens the model anew in the form that is wanted.
  let reload: @Sendable (ModelStore) -> Void

  /// The model, for as long as the store keeps it.
  private var object: AnyObject?
  /// The model after the store released it, as long as it has users.
  private weak var leaving: AnyObject?
  /// The form that `object` is of.
  private(set) var variant = 0
  /// The form that is to be used.
  var wanted = 0
  private(set) var memory = ModelMemory()
  /// Bytes that forms took when they were open.
  private(set) var measured: [Int: Int] = [:]
  /// How long opening it took the last time; nil where it never was.
  private(set) var loadTimes: LoadTimes?
  /// Notes of the last time it was opened.
  private(set) var notes: [String] = []
  /// On the store's clock, in nanoseconds.
  private(set) var lastUse: UInt64 = 0
  /// Uses of all models are counted; the greater, the later.
  private(set) var turn = 0
  var isPinned = false
  var load: Load?
  var watch = TargetWatch()
  /// When a better form is tried again; nil where the best is in use.
  var recovery: UInt64?
  /// How often a better form was given up.
  var setbacks = 0
  var loads = 0
  var failures = 0

  init<Model>(
    _ type: ServiceModel<Model>, timeToLive: Duration?, recorder: LatencyRecorder
  ) {
    (name, displayName, fingerprint) = (type.name, type.displayName, type.fingerprint)
    qualities = type.variants.map(\.quality)
    (latencyTarget, expectedRate, isAdaptive) = (type.latencyTarget, type.expectedRate, type.isAdaptive)
    self.timeToLive = (type.timeToLive ?? timeToLive)?.nanoseconds
    self.recorder = recorder
    reload = { store in store.reload(type) }
    recorder.target = type.latencyTarget
    recorder.displayName = type.displayName == type.name ? nil : type.displayName
  }

  /// Whether the store keeps the model.
  var isLoaded: Bool { object != nil }

  /// Whether the model is in memory, in the store or with other users.
  var isInMemory: Bool { object != nil || leaving != nil }

  /// Whether only the store has the model. It cannot be handed out meanwhile, because that takes the store's lock too.
  mutating func isIdle() -> Bool { object != nil && isKnownUniquelyReferenced(&object) }

  /// The model for a new user; also one that the store released and others still use.
  mutating func use<Model>(_: Model.Type = Model.self, at time: UInt64, turn: Int) -> Model? {
    if object == nil, let leaving { (object, self.leaving) = (leaving, nil) }
    guard let object else { return nil }
    (lastUse, self.turn) = (time, turn)
    return object as? Model
  }

  /// Keeps a model that was opened.
  mutating func keep(_ model: any InferenceModel, variant: Int, at time: UInt64, turn: Int) {
    (object, leaving, self.variant) = (model as AnyObject, nil, variant)
    (lastUse, self.turn) = (time, turn)
    count(model.memory)
    watch = TargetWatch()
  }

  /// Lets go of the model.
  /// - Returns: the model if it has no other users.
  mutating func letGo() -> (any InferenceModel)? {
    let isIdle = isIdle()
    let model = object as? any InferenceModel
    if !isIdle { leaving = object }
    object = nil
    if isIdle { count(ModelMemory()) }
    return isIdle ? model : nil
  }

  /// Notes that the store does not keep a model that others got.
  mutating func pass(_ model: any InferenceModel) {
    leaving = model as AnyObject
    count(model.memory)
  }

  /// Takes down what came of opening the model.
  /// - Returns: what is to be told.
  mutating func note(
    _ outcome: LoadWaiter.Outcome, of load: Load, at time: UInt64, turn: Int, _ recovery: Duration
  ) -> [StoreEvent] {
    switch outcome {
    case .failure(let error):
      let isReplacement = isLoaded && load.waiters.isEmpty
      if isReplacement { wanted = variant }
      // Nobody wants to know of a better form that could not be had again.
      guard error.kind != .cancelled, !isReplacement else { return [] }
      failures += 1
      recorder.loadFailure = "\(error)"
      return [.failed(name, error)]
    case .success(let model):
      let (hadOne, before) = (isLoaded, variant)
      loads += 1
      recorder.loadFailure = nil
      (loadTimes, notes) = (model.loadTimes, model.notes)
      wanted = load.variant
      if load.isKept { keep(model, variant: load.variant, at: time, turn: turn) } else { pass(model) }
      if wanted == 0 {
        self.recovery = nil
      } else if self.recovery == nil {
        tryAgain(after: recovery, at: time)
      }
      let event = StoreEvent.loaded(
        name, qualities[load.variant], time: model.loadTimes.total, bytes: memory.total)
      guard hadOne, before != load.variant else { return [event] }
      let cause: StoreEvent.QualityCause = before < load.variant ? .latency : .recovery
      return [event, .quality(name, from: qualities[before], to: qualities[load.variant], cause)]
    }
  }

  /// Takes down that a form is not used for some time: longer each time.
  mutating func giveUp(_ variant: Int, at time: UInt64, recovery: Duration) {
    wanted = variant + 1
    watch = TargetWatch()
    setbacks += 1
    tryAgain(after: recovery, at: time)
  }

  private mutating func tryAgain(after recovery: Duration, at time: UInt64) {
    let factor = UInt64(1) << UInt64(min(max(setbacks, 1), 11) - 1)
    let (wait, isOver) = recovery.nanoseconds.multipliedReportingOverflow(by: factor)
    let (end, isOverToo) = time.addingReportingOverflow(wait)
    self.recovery = isOver || isOverToo ? .max : end
  }

  /// Takes down what a form takes in memory, for when it is opened again.
  mutating func note(_ byteCount: Int, ofVariant variant: Int) {
    measured[variant] = max(measured[variant] ?? 0, byteCount)
  }

  /// Looks what the model takes now.
  mutating func measure() {
    let model = (object ?? leaving) as? any InferenceModel
    count(model?.memory ?? ModelMemory())
    if isLoaded { note(memory.total, ofVariant: variant) }
  }

  private mutating func count(_ memory: ModelMemory) {
    self.memory = memory
    recorder.memoryByteCount = memory.total
  }

  /// Gives back what runs left of the model's memory.
  func releaseIdleMemory() { ((object ?? leaving) as? any InferenceModel)?.releaseIdleMemory() }

  /// Whether the time to live is over. A model that is in use begins its time anew.
  mutating func isExpired(at time: UInt64) -> Bool {
    guard isLoaded else { return false }
    guard isIdle() else {
      lastUse = max(lastUse, time)
      return false
    }
    guard let timeToLive, !isPinned, time > lastUse else { return false }
    return time - lastUse >= timeToLive
  }
}
