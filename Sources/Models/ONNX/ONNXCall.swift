import Formats
import Graph
import TensorCore

/// What nodes inside an operator that the file defines can refer to, and which such operators they are in.
struct ONNXCall {
  /// The versions of operators that the operator's body states.
  let operatorVersions: [ExactText: Int]
  /// The attributes of the node that is replaced, and the defaults of those that it leaves out.
  let attributes: [ExactText: ONNXAttribute.Value]
  /// Inputs that the node leaves out.
  let missing: Set<ExactText>
  /// Each operator of the file that the body is in.
  let path: [ONNXFunctionKey]

  /// Operators in the definitions of others.
  static let maximumDepth = 64

  /// - Throws: ``ApusError`` of kind `malformedModel` for an operator that is defined by itself, or by too long a chain.
  init(
    _ function: ONNXFunction, by node: ONNXNode, inside path: [ONNXFunctionKey]
  ) throws(ApusError) {
    guard !path.contains(function.key) else {
      throw ApusError(.malformedModel, "an operator that is defined by itself")
    }
    guard path.count < Self.maximumDepth else {
      throw ApusError(
        .malformedModel, "operators in operators that the file defines",
        expected: "at most \(Self.maximumDepth)")
    }
    self.path = path + [function.key]
    operatorVersions = function.operatorVersions
    var values: [ExactText: ONNXAttribute.Value] = [:]
    for attribute in function.defaults + node.attributes {
      values[ExactText(attribute.name)] = attribute.value
    }
    attributes = values
    missing = Set(
      function.graph.inputs.enumerated().filter {
        $0.offset >= node.inputs.count || node.inputs[$0.offset].isEmpty
      }
      .map { ExactText($0.element.name) })
  }

  /// A node of the body with the attributes that it refers to.
  func resolved(_ node: ONNXNode) -> ONNXNode {
    guard node.attributes.contains(where: { $0.reference != nil }) else { return node }
    return node.replacing(
      node.attributes.compactMap { attribute in
        guard let name = attribute.reference else { return attribute }
        return attributes[ExactText(name)].map { ONNXAttribute(attribute.name, $0) }
      })
  }
}
