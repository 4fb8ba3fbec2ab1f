import TensorCore

/// What a `.tflite` file says, verified: every index, range, shape and count in it is sound.
///
/// A description may still ask for something that Apus cannot run; see ``TFLiteSubgraph/obstacles``.
package struct TFLiteModel: Sendable {
  /// The only version of the schema in use.
  package static let version = 3
  /// The four characters at byte 4 of a file.
  package static let identifier = "TFL3"

  package let description: String
  package let operatorCodes: [TFLiteOperatorCode]
  /// At least one; the first is the main one.
  package let subgraphs: [TFLiteSubgraph]
  package let signatures: [TFLiteSignature]
  package let metadata: [TFLiteMetadataEntry]
  /// Where in the file the bytes of each buffer lie, inside the flatbuffer or behind it; empty for a buffer
  /// without data.
  package let buffers: [Range<Int>]
  /// The file.
  package let bytes: StoredBytes

  /// Parses and verifies a file.
  /// - Throws: ``ApusError`` of kind `malformedModel` that names the tensor, operator or offset at fault.
  package init(_ bytes: [UInt8]) throws(ApusError) { try self.init(StoredBytes(bytes)) }

  /// Parses and verifies a file.
  /// - Throws: ``ApusError`` of kind `malformedModel` that names the tensor, operator or offset at fault.
  package init(_ bytes: StoredBytes) throws(ApusError) {
    self.bytes = bytes
    let buffer = try FlatBuffer(bytes, identifier: Self.identifier, format: "a TFLite model")
    let root = try buffer.root(named: "Model")
    let version = try root.index(0, "version")
    guard version == Self.version else {
      throw root.error(0, "version", "schema version \(version)", expected: "\(Self.version)")
    }
    description = try root.string(3, "description") ?? ""
    let buffers = try TFLiteBuffers.ranges(root, fileSize: bytes.count)
    let codes = try root.tables(1, "operator_codes", as: "OperatorCode")
      .map { (index, table) throws(ApusError) in try TFLiteOperatorCode(table, index: index) }
    let graphs = try root.tables(2, "subgraphs", as: "SubGraph")
    guard !graphs.isEmpty else { throw root.error(2, "subgraphs", "no subgraph", expected: "at least one") }
    let context = TFLiteContext(buffers: buffers, operatorCodes: codes, fileSize: bytes.count)
    let subgraphs = try graphs.map { (index, table) throws(ApusError) in
      do throws(ApusError) {
        return try TFLiteSubgraph(table, index: index, context)
      } catch {
        throw graphs.count > 1 ? error.at("subgraph \(index)") : error
      }
    }
    try TFLiteDecompositions.verify(subgraphs)
    self.buffers = buffers
    self.operatorCodes = codes
    self.subgraphs = subgraphs
    signatures = try root.tables(7, "signature_defs", as: "SignatureDef")
      .map { (index, table) throws(ApusError) in
        try TFLiteSignature(table, index: index, subgraphs: subgraphs)
      }
    metadata = try root.tables(6, "metadata", as: "Metadata")
      .map { (index, table) throws(ApusError) in
        try TFLiteMetadataEntry(table, index: index, buffers: buffers)
      }
  }
}

extension TFLiteModel {
  /// The signature with a key.
  /// - Throws: ``ApusError`` of kind `argument` that lists the keys there are.
  package func signature(named key: String) throws(ApusError) -> TFLiteSignature {
    guard let found = signatures.first(where: { ExactText($0.key) == ExactText(key) }) else {
      throw Self.missing("signature", key, of: signatures.map(\.key))
    }
    return found
  }

  /// The subgraph with a name, or with an index written as a number.
  /// - Throws: ``ApusError`` of kind `argument` that lists the names there are.
  package func subgraph(named name: String) throws(ApusError) -> TFLiteSubgraph {
    if let found = subgraphs.first(where: { ExactText($0.name) == ExactText(name) }) { return found }
    guard let index = Int(name), subgraphs.indices.contains(index) else {
      throw Self.missing("subgraph", name, of: subgraphs.map(\.name))
    }
    return subgraphs[index]
  }

  private static func missing(_ kind: String, _ name: String, of names: [String]) -> ApusError {
    let list = names.prefix(20).map { "'\($0.clipped)'" }.joined(separator: ", ")
    return ApusError(
      .argument, "the model has no \(kind) '\(name.clipped)'",
      expected: names.isEmpty ? "none, as it has no \(kind)s" : "one of \(list)")
  }
}

/// What the tables of a model refer to outside themselves.
struct TFLiteContext {
  let buffers: [Range<Int>]
  let operatorCodes: [TFLiteOperatorCode]
  let fileSize: Int
}

/// A named piece of the file that describes the model, such as `TFLITE_METADATA`.
package struct TFLiteMetadataEntry: Sendable, Equatable {
  package let name: String
  package let buffer: Int
  /// The bytes in the file.
  package let data: Range<Int>

  init(_ table: FlatBufferTable, index: Int, buffers: [Range<Int>]) throws(ApusError) {
    name = try table.string(0, "name") ?? ""
    buffer = try table.index(1, "buffer")
    guard buffer < buffers.count else {
      throw table.error(
        1, "buffer", "metadata \(index) '\(name.clipped)' names buffer \(buffer)",
        expected: "one of the \(buffers.count) buffers")
    }
    data = buffers[buffer]
  }
}
