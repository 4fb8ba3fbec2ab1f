import TensorCore

/// An operator that a file defines itself: a `FunctionProto`.
package struct ONNXFunction: Sendable {
  package let key: ONNXFunctionKey
  /// What its nodes compute, with its inputs and outputs; there are no initializers.
  package let graph: ONNXGraph
  /// The attributes that nodes in it may refer to, with what they are where a caller gives none.
  package let defaults: [ONNXAttribute]
  /// The version of each domain's operators in it.
  package let operatorVersions: [ExactText: Int]

  init(_ message: Slice<StoredBytes>, _ allowance: ONNXAllowance) throws(ApusError) {
    var (name, domain, overload) = ("", "", "")
    var (inputs, outputs): ([ONNXValueInfo], [ONNXValueInfo]) = ([], [])
    var (nodes, defaults, versions): ([ONNXNode], [ONNXAttribute], [ExactText: Int]) = ([], [], [:])
    var reader = ONNXMessage(message)
    while let field = try reader.next() {
      switch field.number {
      case 1: name = try field.text()
      case 4:
        try allowance.take(at: field.offset)
        inputs.append(ONNXValueInfo(named: try field.text()))
      case 5:
        try allowance.take(at: field.offset)
        outputs.append(ONNXValueInfo(named: try field.text()))
      case 7:
        try allowance.take(at: field.offset)
        nodes.append(try ONNXNode(field.bytes(), index: nodes.count, depth: 0, allowance))
      case 9:
        try allowance.take(at: field.offset)
        let (domain, version) = try ONNXModel.operatorVersion(field)
        versions[domain] = version
      case 10: domain = try field.text()
      case 11:
        try allowance.take(at: field.offset)
        defaults.append(try ONNXAttribute(field.bytes(), depth: 0, allowance))
      case 13: overload = try field.text()
      default: break
      }
    }
    let owner = ExactText(domain) == "ai.onnx" ? "" : domain
    key = ONNXFunctionKey(domain: ExactText(owner), name: ExactText(name), overload: ExactText(overload))
    graph = ONNXGraph(name: name, nodes: nodes, inputs: inputs, outputs: outputs)
    (self.defaults, operatorVersions) = (defaults, versions)
  }
}

/// The name of an operator that a file defines itself.
package struct ONNXFunctionKey: Hashable, Sendable {
  package let domain: ExactText
  package let name: ExactText
  /// Which of several definitions of one name.
  package let overload: ExactText
}

extension ONNXModel {
  /// The operator that the file defines for a node, if there is one.
  package func function(of node: ONNXNode) -> ONNXFunction? {
    guard !functions.isEmpty else { return nil }
    return functions[
      ONNXFunctionKey(
        domain: ExactText(node.domain), name: ExactText(node.type), overload: ExactText(node.overload))]
  }
}
