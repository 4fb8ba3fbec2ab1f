import TensorCore

/// An ONNX file that was read: a `ModelProto` of onnx.proto3.
///
/// Elements of tensors are where they were, in the bytes of the file. What the file says of values inside the graph is passed
/// over: it may be wrong, and shapes are inferred anew.
/// Format: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3
package struct ONNXModel: Sendable {
  package let bytes: StoredBytes
  package let formatVersion: Int64
  /// The exporter and its version.
  package let producer: String
  package let note: String
  package let metadata: [(key: String, value: String)]
  /// The version of each domain's operators; ONNX's own domain is empty.
  package let operatorVersions: [ExactText: Int]
  package let graph: ONNXGraph
  /// Operators that the file defines itself.
  package let functions: [ONNXFunctionKey: ONNXFunction]

  /// - Throws: ``ApusError`` of kind `malformedModel` that names the byte, node or tensor that breaks the format.
  package init(_ bytes: StoredBytes) throws(ApusError) {
    var fields = Fields()
    let allowance = ONNXAllowance()
    var reader = ONNXMessage(bytes[...])
    while let field = try reader.next() { try fields.read(field, allowance) }
    guard let graph = fields.graph else {
      throw ApusError(
        .malformedModel, "no graph", expected: "an ONNX model, which has one",
        advice: "The file is incomplete or not an ONNX file.")
    }
    guard !fields.versions.isEmpty else {
      throw ApusError(
        .malformedModel, "no version of operators", expected: "one, as ONNX files have since 2017")
    }
    self.bytes = bytes
    self.graph = graph
    formatVersion = fields.formatVersion
    producer = [fields.producer, fields.producerVersion].filter { !$0.isEmpty }.joined(separator: " ")
    (note, metadata) = (fields.note, fields.metadata)
    (operatorVersions, functions) = (fields.versions, fields.functions)
  }

  private struct Fields {
    var formatVersion: Int64 = 0
    var (producer, producerVersion, note) = ("", "", "")
    var metadata: [(key: String, value: String)] = []
    var versions: [ExactText: Int] = [:]
    var graph: ONNXGraph?
    var functions: [ONNXFunctionKey: ONNXFunction] = [:]

    mutating func read(_ field: ONNXMessage.Field, _ allowance: ONNXAllowance) throws(ApusError) {
      switch field.number {
      case 1: formatVersion = try field.int64()
      case 2: producer = try field.text()
      case 3: producerVersion = try field.text()
      case 6: note = try field.text()
      case 7:
        guard graph == nil else { throw ApusError.malformedMessage("a second graph", "one", field.offset) }
        graph = try ONNXGraph(field.bytes(), depth: 0, allowance)
      case 8:
        try allowance.take(at: field.offset)
        let (domain, version) = try ONNXModel.operatorVersion(field)
        versions[domain] = version
      case 14:
        try allowance.take(at: field.offset)
        metadata.append(try field.textPair())
      case 25:
        try allowance.take(at: field.offset)
        let function = try ONNXFunction(field.bytes(), allowance)
        guard functions.updateValue(function, forKey: function.key) == nil else {
          throw ApusError.malformedMessage("the operator '\(function.key.name)' twice", "once", field.offset)
        }
      default: break
      }
    }
  }

  /// The domain and the version that an `OperatorSetIdProto` names.
  static func operatorVersion(_ field: ONNXMessage.Field) throws(ApusError) -> (domain: ExactText, Int) {
    var (domain, version) = (ExactText(""), Int64(0))
    var reader = ONNXMessage(try field.bytes())
    while let part = try reader.next() {
      switch part.number {
      case 1: domain = ExactText(try part.text())
      case 2: version = try part.int64()
      default: break
      }
    }
    guard version > 0 else {
      throw ApusError.malformedMessage("version \(version) of operators", "1 or more", field.offset)
    }
    return (domain == "ai.onnx" ? "" : domain, Int(version))
  }
}
