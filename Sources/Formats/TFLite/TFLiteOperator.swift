import TensorCore

/// One step of a subgraph: an operator code with its tensors and options.
package struct TFLiteOperator: Sendable {
  package let index: Int
  package let code: TFLiteOperatorCode
  /// Tensors read, in the order of the operator's definition; nil for an optional one left out.
  package let inputs: [Int?]
  /// Tensors written.
  package let outputs: [Int]
  /// Tensors that stateful operators use inside.
  package let intermediates: [Int]
  /// How the operator is configured; nil when it takes no options, or Apus has no use for them.
  package let options: (any TFLiteOptions)?
  /// The bytes in the file that a custom operator is configured with.
  package let customOptions: Range<Int>?

  package var builtin: TFLiteBuiltin? { code.builtin }

  /// The operator for errors, such as `operator 12 (CONV_2D)`.
  package var label: String { "operator \(index) (\(code.name))" }

  init(
    _ table: FlatBufferTable, index: Int, tensorCount: Int, _ context: TFLiteContext
  ) throws(ApusError) {
    let codeIndex = try table.index(0, "opcode_index")
    guard codeIndex < context.operatorCodes.count else {
      throw table.error(
        0, "opcode_index", "operator code \(codeIndex)",
        expected: "one of the \(context.operatorCodes.count) operator codes"
      ).at("operator \(index)")
    }
    self.index = index
    code = context.operatorCodes[codeIndex]
    do {
      inputs = try table.ints(1, "inputs").map { (tensor) throws(ApusError) in
        tensor == -1 ? nil : try Self.tensor(tensor, of: tensorCount, table, 1, "inputs")
      }
      outputs = try table.ints(2, "outputs").map { (tensor) throws(ApusError) in
        try Self.tensor(tensor, of: tensorCount, table, 2, "outputs")
      }
      // A list of intermediates may have holes, marked −1.
      intermediates = try table.ints(8, "intermediates").filter { $0 != -1 }
        .map { (tensor) throws(ApusError) in
          try Self.tensor(tensor, of: tensorCount, table, 8, "intermediates")
        }
      options = try table.options(of: code.builtin)
      let inside = try table.byteRange(5, "custom_options")
      customOptions =
        try TFLiteBuffers.outside(
          table, offsetSlot: 9, "large_custom_options_offset", sizeSlot: 10, "large_custom_options_size",
          fileSize: context.fileSize) ?? inside
    } catch {
      throw error.at("operator \(index) (\(code.name))")
    }
  }

  private static func tensor(
    _ index: Int, of count: Int, _ table: FlatBufferTable, _ slot: Int, _ name: String
  ) throws(ApusError) -> Int {
    guard index >= 0, index < count else {
      throw table.error(slot, name, "tensor \(index)", expected: "one of the \(count) tensors")
    }
    return index
  }
}
