import TensorCore

/// A TFLite model of one subgraph that is to be written.
package struct TFLiteDraft: Sendable {
  package struct Tensor: Sendable, Equatable {
    package var name: String
    package var type: TFLiteTensorType
    package var shape: [Int]
    /// The shape with −1 for what a caller may choose; nil when all is fixed.
    package var signature: [Int]?
    /// The elements of a constant, little-endian.
    package var data: [UInt8]?
    package var quantization: Quantization?

    package init(
      _ name: String, _ type: TFLiteTensorType, _ shape: [Int], signature: [Int]? = nil,
      data: [UInt8]? = nil, quantization: Quantization? = nil
    ) {
      self.name = name
      self.type = type
      self.shape = shape
      self.signature = signature
      self.data = data
      self.quantization = quantization
    }
  }

  /// One operator with the tensors it reads and writes.
  package struct Step: Sendable {
    package var builtin: TFLiteBuiltin
    package var version: Int
    /// Nil for an optional one left out.
    package var inputs: [Int?]
    package var outputs: [Int]
    package var options: (any TFLiteOptions)?

    package init(
      _ builtin: TFLiteBuiltin, version: Int = 1, inputs: [Int?], outputs: [Int],
      options: (any TFLiteOptions)? = nil
    ) {
      self.builtin = builtin
      self.version = version
      self.inputs = inputs
      self.outputs = outputs
      self.options = options
    }
  }

  /// A named way in, with names for the inputs and outputs.
  package struct Signature: Sendable {
    package var key: String
    package var inputs: [(name: String, tensor: Int)]
    package var outputs: [(name: String, tensor: Int)]

    package init(
      key: String, inputs: [(name: String, tensor: Int)], outputs: [(name: String, tensor: Int)]
    ) {
      self.key = key
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  package var description = ""
  package var name = "main"
  package var tensors: [Tensor] = []
  package var steps: [Step] = []
  package var inputs: [Int] = []
  package var outputs: [Int] = []
  package var signatures: [Signature] = []
  /// Named pieces that describe the model.
  package var metadata: [(name: String, data: [UInt8])] = []

  package init() {}

  /// Adds a tensor.
  /// - Returns: its index.
  package mutating func add(_ tensor: Tensor) -> Int {
    tensors.append(tensor)
    return tensors.count - 1
  }
}
