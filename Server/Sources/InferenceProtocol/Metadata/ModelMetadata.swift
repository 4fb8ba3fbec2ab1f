/// What a model takes and gives.
public struct ModelMetadata: Sendable, Hashable, Codable {
  /// A tensor.
  public struct Tensor: Sendable, Hashable, Codable {
    /// Its name.
    public let name: String
    /// What its elements are.
    public let datatype: InferenceDatatype
    /// Its extents, outermost first; −1 for one that is up to the caller, or follows from what he sends.
    public let shape: [Int]
    /// Whether a request may leave it out.
    public let isOptional: Bool

    /// A tensor.
    public init(_ name: String, _ datatype: InferenceDatatype, _ shape: [Int], isOptional: Bool = false) {
      (self.name, self.datatype, self.shape, self.isOptional) = (name, datatype, shape, isOptional)
    }

    private enum CodingKeys: String, CodingKey {
      case name, datatype, shape
      case isOptional = "optional"
    }
  }

  /// One of the ways in which a model can be asked.
  public struct Signature: Sendable, Hashable, Codable {
    /// What it is called.
    public let name: String
    /// What the request's parameter `network` says where the names of inputs do not tell it from others; nil where it is
    /// none of the model's networks that is asked.
    public let network: String?
    /// What a request sends.
    public let inputs: [Tensor]
    /// What it gets.
    public let outputs: [Tensor]

    /// A way to ask.
    public init(_ name: String, network: String? = nil, inputs: [Tensor], outputs: [Tensor]) {
      (self.name, self.network, self.inputs, self.outputs) = (name, network, inputs, outputs)
    }
  }

  /// The model's name.
  public let name: String
  /// The versions that can be asked for.
  public let versions: [String]
  /// What runs it.
  public let platform: String
  /// What a request sends, when it wants what the model is for.
  public let inputs: [Tensor]
  /// What it gets.
  public let outputs: [Tensor]
  /// All ways to ask, the usual one first. It is an addition to the protocol, whose clients pass over it.
  public let signatures: [Signature]

  /// - Parameter signatures: the usual one first.
  public init(name: String, versions: [String], platform: String, signatures: [Signature]) {
    (self.name, self.versions, self.platform, self.signatures) = (name, versions, platform, signatures)
    inputs = signatures.first?.inputs ?? []
    outputs = signatures.first?.outputs ?? []
  }
}
