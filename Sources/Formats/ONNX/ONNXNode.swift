import TensorCore

/// One operator of a graph with the names of what it reads and writes.
package struct ONNXNode: Sendable {
  package let name: String
  package let type: String
  /// Whose operator it is: empty for ONNX's own.
  package let domain: String
  /// Which of several definitions in the file is meant.
  package let overload: String
  /// The values; empty names stand for those that are left out.
  package let inputs: [String]
  package let outputs: [String]
  package let attributes: [ONNXAttribute]
  /// The position in its graph.
  package let index: Int

  /// The operator's name, behind its domain where that is not ONNX's own: `com.microsoft::Gelu`.
  package var qualifiedType: String { domain.isEmpty ? type.clipped : "\(domain.clipped)::\(type.clipped)" }

  /// What errors call it.
  package var label: String {
    name.isEmpty ? "node \(index) (\(qualifiedType))" : "node \(index) '\(name.clipped)' (\(qualifiedType))"
  }

  package func attribute(_ name: String) -> ONNXAttribute.Value? {
    attributes.first { ExactText($0.name) == ExactText(name) }?.value
  }

  /// The same node with other attributes.
  package func replacing(_ attributes: [ONNXAttribute]) -> ONNXNode { ONNXNode(self, attributes) }

  private init(_ node: ONNXNode, _ attributes: [ONNXAttribute]) {
    (name, type, domain, inputs) = (node.name, node.type, node.domain, node.inputs)
    (outputs, index, overload, self.attributes) = (node.outputs, node.index, node.overload, attributes)
  }

  /// Reads a `NodeProto`.
  init(
    _ message: Slice<StoredBytes>, index: Int, depth: Int, _ allowance: ONNXAllowance
  ) throws(ApusError) {
    var (name, type, domain, overload) = ("", "", "", "")
    var (inputs, outputs, attributes): ([String], [String], [ONNXAttribute]) = ([], [], [])
    var reader = ONNXMessage(message)
    do throws(ApusError) {
      while let field = try reader.next() {
        switch field.number {
        case 1:
          try allowance.take(at: field.offset)
          inputs.append(try field.text())
        case 2:
          try allowance.take(at: field.offset)
          outputs.append(try field.text())
        case 3: name = try field.text()
        case 4: type = try field.text()
        case 5:
          try allowance.take(at: field.offset)
          attributes.append(try ONNXAttribute(field.bytes(), depth: depth, allowance))
        case 7: domain = try field.text()
        case 8: overload = try field.text()
        default: break
        }
      }
    } catch {
      throw error.at("node \(index)")
    }
    (self.name, self.type, self.inputs, self.outputs) = (name, type, inputs, outputs)
    (self.attributes, self.index, self.overload) = (attributes, index, overload)
    self.domain = ExactText(domain) == "ai.onnx" ? "" : domain
  }
}
