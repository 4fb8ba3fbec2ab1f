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
    public var patience = Duration.seconds(5)
    /// How long after a better quality was given up it is tried again; twice as long each time it fails.
    public var recovery = Duration.seconds(300)
    /// Whether models that nobody uses go when the system runs short of memory.
    public var watchesPressure = true
    /// From when on memory is short.
    public var pressure = MemoryPressure.Options()

    /// The defaults.
    public init() {}

    /// - Parameters:
    ///   - byteLimit: bytes that all models together may take.
    ///   - timeToLive: how long a model stays after its last use.
    public init(byteLimit: Int?, timeToLive: Duration? = nil) {
      self.byteLimit = byteLimit
      self.timeToLive = timeToLive
    }

    /// - Throws: ``ApusError`` of kind `argument`.
    func validate() throws(ApusError) {
      if let byteLimit, byteLimit < 0 {
        throw ApusError(.argument, "a byteLimit of \(byteLimit)", expected: "at least 0")
      }
    }
  }
}
