import Networks

extension InferenceSession {
  /// How a model is run.
  public struct Options: Sendable, Hashable {
    /// The network that is meant when a run names none: of a `.tflite` file a signature by its key, or a subgraph by its
    /// name or position; of a folder with two towers `image` or `text`. Nil for the only one of a folder, and the main
    /// one of a file; a folder with two opens without, and then each run names one.
    public var network: String?
    /// The shapes of inputs that the network is made ready for, by their names or positions; others keep what the model
    /// states. For a model that can be computed with none of the shapes that it states, such as one that leaves them open.
    public var shapes: [String: [Int]]
    /// Precision and threads.
    public var inference: InferenceOptions

    /// - Parameters:
    ///   - network: the network that is meant when a run names none.
    ///   - shapes: the shapes of inputs that it is made ready for.
    ///   - inference: precision and threads.
    public init(
      network: String? = nil, shapes: [String: [Int]] = [:], inference: InferenceOptions = InferenceOptions()
    ) {
      self.network = network
      self.shapes = shapes
      self.inference = inference
    }
  }
}

extension InferenceSession.Options: JSONOptions {
  /// The model's own.
  public static var standard: Self { Self() }

  /// `network`, `shapes` (`{"input": [1, 128]}`), and the keys of ``InferenceOptions``.
  public static var settings: Settings<Self> {
    .setting(.network, \.network, .text) + .setting(.shapes, \.shapes, .shapes)
      + InferenceOptions.settings.inside(\.inference)
  }
}
