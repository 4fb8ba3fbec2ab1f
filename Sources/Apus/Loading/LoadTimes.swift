/// The time that each part of loading a model took.
public struct LoadTimes: Sendable, Hashable {
  /// Finding the model, reading its configuration, mapping its weights.
  public private(set) var open = Duration.zero
  /// Reading the tokenizer's vocabulary.
  public private(set) var tokenizer = Duration.zero
  /// The network for texts: building it and packing its weights, or finding them packed already.
  public private(set) var text = Duration.zero
  /// The network for pictures.
  public private(set) var image = Duration.zero
  /// The network of a session, whatever it is for.
  public private(set) var network = Duration.zero
  /// Embedding the labels that a zero-shot classifier was given.
  public private(set) var labels = Duration.zero

  /// Of a model that takes no time.
  public init() {}

  /// All parts together.
  public var total: Duration { LoadStage.allCases.reduce(.zero) { $0 + self[$1] } }

  /// The time of one part.
  public private(set) subscript(stage: LoadStage) -> Duration {
    get { self[keyPath: Self.path(stage)] }
    set { self[keyPath: Self.path(stage)] = newValue }
  }

  mutating func add(_ milliseconds: Double, to stage: LoadStage) {
    self[stage] += Duration(milliseconds: milliseconds)
  }

  private static func path(_ stage: LoadStage) -> WritableKeyPath<LoadTimes, Duration> {
    switch stage {
    case .open: \.open
    case .tokenizer: \.tokenizer
    case .text: \.text
    case .image: \.image
    case .network: \.network
    case .labels: \.labels
    }
  }
}

/// Numbers of milliseconds, by the names of the parts.
extension LoadTimes: Codable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ stage: LoadStage) { stringValue = stage.rawValue }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let parts = try decoder.container(keyedBy: Key.self)
    self.init()
    for stage in LoadStage.allCases { add(try parts.decode(Double.self, forKey: Key(stage)), to: stage) }
  }

  /// Writes a number of milliseconds for each part.
  public func encode(to encoder: any Encoder) throws {
    var parts = encoder.container(keyedBy: Key.self)
    for stage in LoadStage.allCases { try parts.encode(self[stage].milliseconds, forKey: Key(stage)) }
  }
}
