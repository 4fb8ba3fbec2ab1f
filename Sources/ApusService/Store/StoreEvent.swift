/// Something that happened to a model of a ``ModelStore``.
public enum StoreEvent: Sendable {
  /// Why a model left memory.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// The program said so.
    case asked
    /// Nobody used it for its time to live.
    case unused
    /// Another model needed its place.
    case room
    /// The system, or the process, ran short of memory.
    case pressure
    /// Another form of it took over.
    case replaced
  }

  /// Why another form of a model took over.
  public enum QualityCause: String, Sendable, Hashable, Codable {
    /// Fewer than 80 % of the runs kept to the latency target.
    case latency
    /// There was no memory for the better one.
    case memory
    /// A better one is tried again.
    case recovery
  }

  /// A model is being opened.
  case loading(String, ModelQuality)
  /// It is ready after so long, and takes so many bytes.
  case loaded(String, ModelQuality, time: Duration, bytes: Int)
  /// It could not be opened.
  case failed(String, ApusError)
  /// Models left memory.
  case unloaded(Reason, MemoryReturn)
  /// Another form of a model answers from now on.
  case quality(String, from: ModelQuality, to: ModelQuality, QualityCause)
  /// Memory is short, or no longer.
  case pressure(MemoryPressure.Level)
}

extension StoreEvent: CustomStringConvertible {
  /// One line: `leaf: loaded in high quality, 12.3 ms, 4.5 MB`.
  public var description: String {
    switch self {
    case .loading(let model, let quality): "\(model): loading in \(quality) quality"
    case .loaded(let model, let quality, let time, let bytes):
      "\(model): loaded in \(quality) quality, \(time.milliseconds.printed("%.1f")) ms, \(bytes.inMegabytes)"
    // The error names the model.
    case .failed(_, let error): "not loaded: \(error)"
    case .unloaded(let reason, let memory): "\(memory) (\(reason.rawValue))"
    case .quality(let model, let old, let new, let cause):
      "\(model): \(new) quality in place of \(old) (\(cause.rawValue))"
    case .pressure(let level): "memory pressure: \(level)"
    }
  }
}
