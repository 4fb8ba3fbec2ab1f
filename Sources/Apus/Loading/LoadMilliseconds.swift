/// The time that each part of loading a model took, in milliseconds.
public struct LoadMilliseconds: Sendable, Hashable, Codable {
  /// Finding the model, reading its configuration, mapping its weights.
  public private(set) var open = 0.0
  /// Reading the tokenizer's vocabulary.
  public private(set) var tokenizer = 0.0
  /// The network for texts: building it and packing its weights, or finding them packed already.
  public private(set) var text = 0.0
  /// The network for pictures.
  public private(set) var image = 0.0
  /// The network of a session, whatever it is for.
  public private(set) var network = 0.0
  /// Embedding the labels that a zero-shot classifier was given.
  public private(set) var labels = 0.0

  /// All parts together.
  public var total: Double { LoadStage.allCases.reduce(0) { $0 + self[$1] } }

  /// The time of one part.
  public private(set) subscript(stage: LoadStage) -> Double {
    get { self[keyPath: Self.path(stage)] }
    set { self[keyPath: Self.path(stage)] = newValue }
  }

  mutating func add(_ milliseconds: Double, to stage: LoadStage) { self[stage] += milliseconds }

  private static func path(_ stage: LoadStage) -> WritableKeyPath<LoadMilliseconds, Double> {
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
