/// How often models ran, and how long it took.
public struct ModelStatisticsList: Sendable, Hashable, Codable {
  /// By model.
  public let models: [ModelStatistics]

  /// The statistics of models.
  public init(_ models: [ModelStatistics]) { self.models = models }

  private enum CodingKeys: String, CodingKey { case models = "model_stats" }
}

/// How often a model ran, and how long it took, since the server knows it.
public struct ModelStatistics: Sendable, Hashable, Codable {
  /// How often something happened, and the time it took together.
  public struct Duration: Sendable, Hashable, Codable {
    /// How often.
    public let count: UInt64
    /// Nanoseconds, all together.
    public let nanoseconds: UInt64

    /// A count and a time.
    public init(count: UInt64 = 0, nanoseconds: UInt64 = 0) {
      (self.count, self.nanoseconds) = (count, nanoseconds)
    }

    private enum CodingKeys: String, CodingKey {
      case count
      case nanoseconds = "ns"
    }
  }

  /// What became of requests, and how long the stages of their items took.
  public struct Stages: Sendable, Hashable, Codable {
    /// Requests that came to a good end.
    public let success: Duration
    /// Requests that did not.
    public let failure: Duration
    /// Items that waited.
    public let queue: Duration
    /// From what the client sent to the model's input.
    public let input: Duration
    /// Running the model.
    public let inference: Duration
    /// From the model's output to what the client gets.
    public let output: Duration

    /// The stages.
    public init(
      success: Duration, failure: Duration, queue: Duration, input: Duration, inference: Duration,
      output: Duration
    ) {
      (self.success, self.failure, self.queue) = (success, failure, queue)
      (self.input, self.inference, self.output) = (input, inference, output)
    }

    private enum CodingKeys: String, CodingKey {
      case success
      case failure = "fail"
      case queue
      case input = "compute_input"
      case inference = "compute_infer"
      case output = "compute_output"
    }
  }

  /// The model's name.
  public let name: String
  /// Its version.
  public let version: String
  /// When it last ran, in milliseconds since 1970; 0 where that is not known.
  public let lastInference: UInt64
  /// Items that it ran on.
  public let inferenceCount: UInt64
  /// Runs, of one item or several.
  public let executionCount: UInt64
  /// How long they took.
  public let stages: Stages

  /// The statistics of a model.
  public init(
    name: String, version: String, lastInference: UInt64, inferenceCount: UInt64, executionCount: UInt64,
    stages: Stages
  ) {
    (self.name, self.version, self.lastInference) = (name, version, lastInference)
    (self.inferenceCount, self.executionCount, self.stages) = (inferenceCount, executionCount, stages)
  }

  private enum CodingKeys: String, CodingKey {
    case name, version
    case lastInference = "last_inference"
    case inferenceCount = "inference_count"
    case executionCount = "execution_count"
    case stages = "inference_stats"
  }
}
