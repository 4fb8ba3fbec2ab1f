/// A model's configuration, as far as there is something to say.
public struct ModelConfiguration: Sendable, Hashable, Codable {
  /// A tensor that the model takes or gives.
  public struct Tensor: Sendable, Hashable, Codable {
    /// Its name.
    public let name: String
    /// What its elements are: `TYPE_FP32`, say.
    public let dataType: String
    /// Its extents, outermost first; −1 for one that is up to the caller.
    public let dims: [Int]
    /// Whether a request may leave it out; nil for an output.
    public let isOptional: Bool?

    private enum CodingKeys: String, CodingKey {
      case name
      case dataType = "data_type"
      case dims
      case isOptional = "optional"
    }
  }

  /// The model's name.
  public let name: String
  /// What runs it.
  public let platform: String
  /// The same.
  public let backend: String
  /// 0: the extents have the batch's axis in them.
  public let maxBatchSize: Int
  /// What a request sends.
  public let input: [Tensor]
  /// What it gets.
  public let output: [Tensor]

  private enum CodingKeys: String, CodingKey {
    case name, platform, backend
    case maxBatchSize = "max_batch_size"
    case input, output
  }

  /// What follows from a model's description.
  public init(_ metadata: ModelMetadata) {
    name = metadata.name
    platform = metadata.platform
    backend = metadata.platform
    maxBatchSize = 0
    input = metadata.inputs.map {
      Tensor(
        name: $0.name, dataType: $0.datatype.configurationName, dims: $0.shape, isOptional: $0.isOptional)
    }
    output = metadata.outputs.map {
      Tensor(name: $0.name, dataType: $0.datatype.configurationName, dims: $0.shape, isOptional: nil)
    }
  }
}

extension InferenceDatatype {
  /// The name in a model's configuration, where BYTES are called strings.
  public var configurationName: String { self == .bytes ? "TYPE_STRING" : "TYPE_\(rawValue)" }
}
