import Networks

extension InferenceSession {
  /// How a model is run.
  public struct Options: Sendable, Hashable {
    /// The network that is meant when a run names none: of a `.tflite` file a signature by its key, or a subgraph by its
    /// name or position; of a folder with two towers `image` or `text`. Nil for the only one of a folder, and the main
    /// one of a file; a folder with two opens without, and then each run names one.
    public var network: String?
    /// Precision and threads.
    public var inference: InferenceOptions

    /// - Parameters:
    ///   - network: the network that is meant when a run names none.
    ///   - inference: precision and threads.
    public init(network: String? = nil, inference: InferenceOptions = InferenceOptions()) {
      self.network = network
      self.inference = inference
    }
  }
}
