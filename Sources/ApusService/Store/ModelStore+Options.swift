import TensorCore

extension ModelStore {
  /// The limits of a store.
  public struct Options: Sendable {
    /// Bytes that all models together may take; nil for 60 % of what the machine, the control group and the process have
    /// left when the store is made.
    public var byteLimit: Int?
    /// How long a model stays after its last use, unless it says so itself; nil for as long as there is room. It is looked
    /// at once a second.
    public var timeToLive: Duration?
    /// How long a load waits for models in use to be let go of, when there is no room without.
    public var patience: Duration
    /// How long after a better quality was given up it is tried again; twice as long each time it fails.
    public var recovery: Duration
    /// Whether unused models are unloaded when the system runs short of memory.
    public var watchesPressure: Bool
    /// From when on memory is short.
    public var pressure: MemoryPressure.Options

    /// - Parameters:
    ///   - byteLimit: bytes that all models together may take.
    ///   - timeToLive: how long a model stays after its last use.
    ///   - patience: how long a load waits for models in use.
    ///   - recovery: how long after a better quality was given up it is tried again.
    ///   - watchesPressure: whether unused models are unloaded when the system runs short of memory.
    ///   - pressure: from when on memory is short.
    public init(
      byteLimit: Int? = nil, timeToLive: Duration? = nil, patience: Duration = .seconds(5),
      recovery: Duration = .seconds(300), watchesPressure: Bool = true,
      pressure: MemoryPressure.Options = MemoryPressure.Options()
    ) {
      (self.byteLimit, self.timeToLive, self.patience) = (byteLimit, timeToLive, patience)
      (self.recovery, self.watchesPressure, self.pressure) = (recovery, watchesPressure, pressure)
    }

    /// - Throws: ``ApusError`` of kind `argument`.
    func validate() throws(ApusError) {
      if let byteLimit, byteLimit < 0 {
        throw ApusError(.argument, "a byteLimit of \(byteLimit)", expected: "at least 0")
      }
    }
  }
}
