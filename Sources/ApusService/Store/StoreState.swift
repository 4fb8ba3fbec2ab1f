import Networks
import TensorCore

/// The models of a store, and which of them has to go. Used under the store's lock.
struct StoreState {
  var entries: [ExactText: StoreEntry] = [:]
  /// Bytes that all models together may take.
  let byteLimit: Int
  var level = MemoryPressure.Level.normal
  /// Bytes that loads will take, by their numbers.
  private(set) var reserved: [Int: Int] = [:]
  private var turns = 0
  private var loadCount = 0
  var keeper: Task<Void, Never>?

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Where a model is to be opened.
  enum Room {
    /// There is room, which is taken.
    case taken
    /// There will be when these are gone.
    case after(Departures)
    /// There is only so much, and may be more when models in use are let go of.
    case later(available: Int)
    /// Not enough memory even with all other models unloaded: the bytes available then.
    case never(available: Int)

    var isAfterDepartures: Bool { if case .after = self { true } else { false } }
  }

  mutating func nextTurn() -> Int {
    turns += 1
    return turns
  }

  /// The model, when it is there.
  /// - Throws: ``ApusError`` of kind `argument` if another model has the name.
  @inline(__always)
  mutating func use<Model>(_ type: ServiceModel<Model>, at time: UInt64) throws(ApusError) -> Model? {
    guard let index = entries.index(forKey: ExactText(type.name)) else { return nil }
    guard entries.values[index].fingerprint == type.fingerprint else { throw Self.isAnother(type.name) }
    turns += 1
    return entries.values[index].use(at: time, turn: turns)
  }

  static func isAnother(_ name: String) -> ApusError {
    ApusError.model(
      name, .invalidInput,
      ApusError(
        .argument, "the store knows another model of this name",
        expected: "the same class, files and qualities", advice: "Give each model a name of its own."))
  }

  /// Begins to open a model.
  mutating func beginLoad(of name: String) -> Int {
    loadCount += 1
    let wanted = entries[ExactText(name)]?.wanted ?? 0
    entries[ExactText(name)]?.load = StoreEntry.Load(number: loadCount, variant: wanted)
    return loadCount
  }

  /// Ends the hold of a load on memory.
  mutating func endReservation(_ number: Int) { reserved[number] = nil }

  /// Bytes of all models in memory, and of those that are being opened; what several share is counted once.
  func byteCount(without names: Set<ExactText> = []) -> Int {
    let counted = entries.values.filter { $0.isInMemory && !names.contains(ExactText($0.name)) }
    return counted.reduce(ModelMemory()) { $0 + $1.memory }.total + reserved.values.reduce(0, +)
  }

  /// The names of all models. Walking over the entries themselves would copy them when one changes, and a model that two
  /// copies have is not idle.
  private var names: [String] { entries.keys.map(\.text) }

  /// Unused models that may be unloaded, least recently used first.
  private mutating func idle() -> [String] {
    var turns: [(name: String, turn: Int)] = []
    for name in names
    where entries[ExactText(name)]?.isPinned == false && entries[ExactText(name)]?.isIdle() == true {
      turns.append((name, entries[ExactText(name)]?.turn ?? 0))
    }
    return turns.sorted { $0.turn < $1.turn }.map(\.name)
  }

  /// Takes room for a load.
  /// - Parameters:
  ///   - byteCount: what the model will take.
  ///   - present: what the system has left; nil where it does not say.
  mutating func takeRoom(_ byteCount: Int, present: Int?, for number: Int) -> Room {
    guard byteCount <= byteLimit else { return .never(available: byteLimit) }
    let idle = idle()
    var going: Set<ExactText> = []
    for name in idle where self.byteCount(without: going) > byteLimit - byteCount {
      going.insert(ExactText(name))
    }
    let left = byteLimit - self.byteCount(without: going)
    guard byteCount <= left else { return .later(available: max(0, left)) }
    // The system knows of what the store does not count; where tasks wait for memory already, some of it stays free.
    let margin = level == .critical ? byteCount / 4 : 0
    if going.isEmpty, let present, present - margin < byteCount {
      // One model at a time: what comes back is to be seen.
      guard let oldest = idle.first else { return .later(available: max(0, present - margin)) }
      going = [ExactText(oldest)]
    }
    guard going.isEmpty else { return .after(letGo(idle.filter { going.contains(ExactText($0)) })) }
    reserved[number] = byteCount
    return .taken
  }

  /// Unused models to unload, so that the others are within the limit.
  mutating func excess() -> Departures {
    var going: [String] = []
    for name in idle() where byteCount(without: Set(going.map { ExactText($0) })) > byteLimit {
      going.append(name)
    }
    return letGo(going)
  }

  /// The least recently used of the unused models, or all of them.
  mutating func unused(all: Bool) -> Departures {
    let idle = idle()
    return letGo(all ? idle : Array(idle.prefix(1)))
  }

  /// The models whose time to live is over.
  mutating func expired(at time: UInt64) -> Departures {
    var going: [String] = []
    for name in names where entries[ExactText(name)]?.isExpired(at: time) == true { going.append(name) }
    return letGo(going)
  }

  /// The work that opens better forms again which were given up long enough ago.
  mutating func dueForRecovery(at time: UInt64) -> [@Sendable (ModelStore) -> Void] {
    var due: [@Sendable (ModelStore) -> Void] = []
    for name in names {
      if let entry = entries[ExactText(name)], entries[ExactText(name)]?.isDueForRecovery(at: time) == true {
        due.append(entry.reload)
      }
    }
    return due
  }

  /// Lets go of models.
  /// - Returns: the models without other users.
  mutating func letGo(_ names: [String]) -> Departures {
    var gone: [(name: String, model: any InferenceModel, byteCount: Int)] = []
    for name in names {
      let byteCount = entries[ExactText(name)]?.memory.total ?? 0
      if let model = entries[ExactText(name)]?.letGo() { gone.append((name, model, byteCount)) }
    }
    return Departures(gone)
  }

  /// Looks what models take now.
  /// - Returns: models released before whose last user is gone.
  mutating func measure() -> Departures {
    var left: [String] = []
    var byteCount = 0
    for name in names {
      guard let before = entries[ExactText(name)]?.memory.total, before > 0 else { continue }
      entries[ExactText(name)]?.measure()
      guard entries[ExactText(name)]?.isInMemory == false else { continue }
      left.append(name)
      byteCount += before
    }
    return Departures(gone: left, byteCount: byteCount)
  }
}
