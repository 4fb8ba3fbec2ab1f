import TensorCore

/// A tensor of a subgraph: its type, its shape and, for a constant, where its bytes are.
package struct TFLiteTensor: Sendable {
  package let index: Int
  package let name: String
  package let type: TFLiteTensorType
  package let shape: Shape
  /// The shape with −1 for dimensions that a caller may choose; the same as ``shape`` when all are fixed.
  package let shapeSignature: [Int]
  /// Whether an empty shape means a scalar for sure; otherwise the rank may be unknown.
  package let hasRank: Bool
  package let buffer: Int
  /// The bytes of a constant in the file, of the very size that shape and type demand; nil for a tensor that
  /// is computed or given.
  package let data: Range<Int>?
  package let quantization: TFLiteQuantization?
  /// Whether the tensor keeps its value from one run to the next.
  package let isVariable: Bool
  /// Whether the bytes are in a sparse encoding, of another size than the shape demands.
  package let isSparse: Bool
  /// Whether the values are in another file.
  package let isExternal: Bool

  /// The tensor for errors, such as `tensor 3 'conv1/weights'`.
  package var label: String { Self.label(index, name) }

  static func label(_ index: Int, _ name: String) -> String {
    name.isEmpty ? "tensor \(index)" : "tensor \(index) '\(name.clipped)'"
  }

  /// Type, shape and quantization, or nil when Apus has no such element type.
  package var tensorType: TensorType? {
    type.dataType.map { TensorType($0, shape, quantization: quantization?.parameters) }
  }

  init(_ table: FlatBufferTable, index: Int, _ context: TFLiteContext) throws(ApusError) {
    self.index = index
    name = try table.string(3, "name") ?? ""
    do {
      type = try TFLiteTensorType(table, 1, "type")
      shape = try Shape(try table.ints(0, "shape"))
      shapeSignature = try Self.signature(table, shape)
      hasRank = try table.bool(8, "has_rank")
      buffer = try table.index(2, "buffer")
      isVariable = try table.bool(5, "is_variable")
      isSparse = try table.table(6, "sparsity", as: "SparsityParameters") != nil
      isExternal = try table.index(10, "external_buffer") != 0
      let parameters = try table.table(4, "quantization", as: "QuantizationParameters")
      let (type, shape) = (type, shape)
      quantization = try parameters.map { (table) throws(ApusError) in
        try TFLiteQuantization(table, type: type, shape: shape)
      }
      data = try Self.data(table, buffer: buffer, type: type, shape: shape, isSparse: isSparse, context)
    } catch {
      throw error.at(Self.label(index, name))
    }
  }

  private static func signature(_ table: FlatBufferTable, _ shape: Shape) throws(ApusError) -> [Int] {
    let signature = try table.ints(7, "shape_signature")
    if signature.isEmpty { return shape.dimensions }
    guard signature.count == shape.rank, signature.allSatisfy({ $0 >= -1 }) else {
      throw table.error(
        7, "shape_signature", "shape signature \(signature)",
        expected: "\(shape.rank) dimensions of −1 or more, as in shape \(shape)")
    }
    return signature
  }

  /// The bytes of a constant: buffer 0 and buffers without data make no constant.
  private static func data(
    _ table: FlatBufferTable, buffer: Int, type: TFLiteTensorType, shape: Shape, isSparse: Bool,
    _ context: TFLiteContext
  ) throws(ApusError) -> Range<Int>? {
    guard buffer != 0 else { return nil }
    guard buffer < context.buffers.count else {
      throw table.error(
        2, "buffer", "buffer \(buffer)", expected: "one of the \(context.buffers.count) buffers")
    }
    let data = context.buffers[buffer]
    guard !data.isEmpty else { return nil }
    guard !isSparse, let bits = type.bitCount else { return data }
    // No overflow: a shape has at most 2⁴⁸ elements.
    let expected = (shape.elementCount * bits + 7) / 8
    guard data.count == expected else {
      throw table.error(
        2, "buffer", "buffer \(buffer) has \(data.count) bytes",
        expected: "\(expected) for \(type.name)\(shape)")
    }
    return data
  }
}
