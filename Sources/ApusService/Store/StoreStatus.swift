/// The state of a store at one moment: plain values, for a page or a program.
public struct StoreStatus: Sendable, Hashable, Codable {
  /// One of its models.
  public struct Model: Sendable, Hashable, Codable {
    /// The name.
    public let name: String
    /// The name for people.
    public let displayName: String
    /// Whether the store has it in memory.
    public let isLoaded: Bool
    /// Whether it is being opened.
    public let isLoading: Bool
    /// Whether it stays whatever the limits say.
    public let isPinned: Bool
    /// How good the form is that is in memory, or that would be opened.
    public let quality: ModelQuality
    /// Its memory, in bytes; nil if it is not in memory.
    public let byteCount: Int?
    /// How long opening it took the last time, of the form that was opened then; nil where it never was.
    public var loadTimes: LoadTimes? { loadMilliseconds }
    package let loadMilliseconds: LoadTimes?
    /// Notes for people of when it was opened: files beside it that were ignored, and why.
    public let notes: [String]
    /// How often it was opened.
    public let loads: Int
    /// How often that failed.
    public let failures: Int
    /// The target of one run.
    public var target: Duration? { targetMilliseconds.map { Duration(milliseconds: $0) } }
    package let targetMilliseconds: Double?
    /// The runs that are expected in a second.
    public let expectedRate: Double?
  }

  /// Bytes that all models together may take.
  public let byteLimit: Int
  /// Bytes that they take, and that loads have been given; what several share is counted once.
  public let byteCount: Int
  /// How short memory is.
  public let pressure: MemoryPressure.Level
  /// All models that were ever requested, by name.
  public let models: [Model]
}

extension ModelStore {
  /// The state of the store now; the models' memory as measured at most a second ago.
  public func status() -> StoreStatus {
    state.withLock { state in
      return StoreStatus(
        byteLimit: byteLimit, byteCount: state.byteCount(), pressure: state.level,
        models: state.entries.values.sorted { $0.name < $1.name }.map(StoreStatus.Model.init))
    }
  }
}

extension StoreStatus.Model {
  init(_ entry: StoreEntry) {
    (name, displayName) = (entry.name, entry.displayName)
    (isLoaded, isLoading, isPinned) = (entry.isLoaded, entry.load != nil, entry.isPinned)
    let form = entry.isLoaded ? entry.variant : entry.load?.variant ?? entry.wanted
    quality = entry.qualities[min(form, entry.qualities.count - 1)]
    byteCount = entry.isInMemory ? entry.memory.total : nil
    (loadMilliseconds, notes) = (entry.loadTimes, entry.notes)
    (loads, failures) = (entry.loads, entry.failures)
    targetMilliseconds = entry.latencyTarget.map { $0.milliseconds }
    expectedRate = entry.expectedRate
  }
}
