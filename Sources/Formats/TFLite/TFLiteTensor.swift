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
  /// The bytes of a constant in the file, of the very size that shape, type and sparse encoding demand; nil for a
  /// tensor that is computed or given.
  package let data: Range<Int>?
  package let quantization: TFLiteQuantization?
  /// Whether the tensor keeps its value from one run to the next.
  package let isVariable: Bool
  /// Whether the file gives the tensor a sparse encoding, which only a constant makes use of.
  package let isSparse: Bool
  /// Which elements of the dense tensor a sparse constant has; nil for all others.
  package let sparsity: TFLiteSparsity?
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
      let encoding = try table.table(6, "sparsity", as: "SparsityParameters")
      isSparse = encoding != nil
      isExternal = try table.index(10, "external_buffer") != 0
      let parameters = try table.table(4, "quantization", as: "QuantizationParameters")
      let (type, shape) = (type, shape)
      quantization = try parameters.map { (table) throws(ApusError) in
        try TFLiteQuantization(table, type: type, shape: shape)
      }
      let bytes = try Self.bytes(table, buffer: buffer, context)
      var elements: TFLiteSparsity?
      if bytes != nil, let encoding { elements = try TFLiteSparsity(encoding, shape: shape) }
      // A buffer without bytes holds the elements of a sparse tensor that has none which are not zero.
      let isConstant = bytes?.isEmpty == false || elements?.leafCount == 0
      data = isConstant ? bytes : nil
      sparsity = isConstant ? elements : nil
      try checkSize(table)
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

  /// The bytes of a buffer, which may have none; nil for buffer 0, which stands for no buffer.
  private static func bytes(
    _ table: FlatBufferTable, buffer: Int, _ context: TFLiteContext
  ) throws(ApusError) -> Range<Int>? {
    guard buffer != 0 else { return nil }
    guard buffer < context.buffers.count else {
      throw table.error(
        2, "buffer", "buffer \(buffer)", expected: "one of the \(context.buffers.count) buffers")
    }
    return context.buffers[buffer]
  }

  private func checkSize(_ table: FlatBufferTable) throws(ApusError) {
    guard let data, let bits = type.bitCount else { return }
    // No overflow: a shape has at most 2⁴⁸ elements, and no more of them are stored.
    let expected = ((sparsity?.leafCount ?? shape.elementCount) * bits + 7) / 8
    guard data.count == expected else {
      let elements = sparsity.map { "\($0.leafCount) elements of \(type.name)\(shape)" }
      throw table.error(
        2, "buffer", "buffer \(buffer) has \(data.count) bytes",
        expected: "\(expected) for \(elements ?? "\(type.name)\(shape)")")
    }
  }
}
