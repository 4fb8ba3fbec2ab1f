import TensorCore

extension Vectors {
  /// The vector of length 1 in the direction of a model's output.
  /// - Parameters:
  ///   - what: what was embedded, for the error.
  ///   - model: the model's name.
  /// - Throws: ``ApusError`` of kind `malformedModel` when the output holds NaN or infinity.
  static func finiteUnit(_ output: [Float], of what: String, model: String) throws(ApusError) -> [Float] {
    unit(try finite(output, of: what, model: model))
  }

  static func finite(_ output: [Float], of what: String, model: String) throws(ApusError) -> [Float] {
    if let index = output.firstIndex(where: { !$0.isFinite }) {
      throw ApusError(
        .malformedModel, "element \(index) of the embedding of \(what) is \(output[index])",
        expected: "a finite number", file: model,
        advice: "The weights are damaged, or too large for their type.")
    }
    return output
  }
}
