import Formats
import Graph
import TensorCore

/// An operator of ONNX that Apus runs: what it makes of a node.
struct ONNXOperator: Sendable {
  typealias Translation = @Sendable (ONNXStep) throws(ApusError) -> [ONNXValue?]

  let name: ExactText
  /// Whose operator it is: empty for ONNX's own.
  let domain: ExactText
  /// The values of the node's outputs, in their order; those at the end may be missing where nobody asks for them.
  let translate: Translation

  init(_ name: String, domain: String = "", _ translate: @escaping Translation) {
    (self.name, self.domain, self.translate) = (ExactText(name), ExactText(domain), translate)
  }

  /// An operator with one result, in the order of the file.
  static func plain(
    _ name: String, domain: String = "",
    _ translate: @escaping @Sendable (ONNXStep) throws(ApusError) -> Value
  ) -> Self {
    Self(name, domain: domain) { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      return [ONNXValue(plain: try translate(step), narrowType: step.narrowType)]
    }
  }
}

extension ONNXStep {
  /// The type that results have in the file where the graph has float32 in its place: that of the first operand of a float type.
  var narrowType: DataType? {
    for index in 0..<inputCount where has(index) {
      guard let value = try? input(index), translation.dataType(of: value) == .float32 else { continue }
      return value.narrowType
    }
    return nil
  }
}

/// The operators of ONNX that Apus runs.
package enum ONNXOperators {
  /// Versions of ONNX's operators whose meaning is known here. Before the first, operators broadcast by attributes.
  static let versions = 7...27

  private static let all: [ONNXOperator] =
    constants + arithmetic + functions + comparison + shaping + selection + joining + products + convolution
    + pooling + reduction + normalization + resizing + quantization + integerConvolution + quantizedMath
    + fusedProducts + fusedLayers + attention + fusedAttention + recurrent + features + classifiers
    + supportVectors + sequences

  private static let byName: [ONNXOperatorKey: ONNXOperator] = Dictionary(
    all.map { (ONNXOperatorKey(domain: $0.domain, name: $0.name), $0) }
  ) { first, _ in first }

  static func of(_ node: ONNXNode) -> ONNXOperator? {
    byName[ONNXOperatorKey(domain: ExactText(node.domain), name: ExactText(node.type))]
  }

  /// Whether Apus runs an operator, if its operands and attributes are such that it does. An `If` is replaced by a branch.
  static func has(_ node: ONNXNode) -> Bool {
    of(node) != nil || node.domain.isEmpty && ExactText(node.type) == "If"
  }

  /// The domains and names of all, for documentation; ONNX's own domain is `ai.onnx`.
  package static var names: [(domain: String, name: String)] {
    all.map { ($0.domain.isEmpty ? "ai.onnx" : $0.domain.text, $0.name.text) } + [("ai.onnx", "If")]
  }
}

private struct ONNXOperatorKey: Hashable {
  let domain: ExactText
  let name: ExactText
}
