import TensorCore

/// What a model says of itself in its `TFLITE_METADATA`: names, how inputs are made, what outputs mean.
///
/// Source: `metadata_schema.fbs` of TensorFlow Lite Support, version 1.1.0.
package struct TFLiteMetadata: Sendable, Equatable {
  package let name: String
  package let description: String
  package let version: String
  package let author: String
  package let license: String
  /// In the order of the model's subgraphs.
  package let subgraphs: [Subgraph]
  package let associatedFiles: [TFLiteAssociatedFile]

  package struct Subgraph: Sendable, Equatable {
    package let name: String
    package let description: String
    /// In the order of the subgraph's inputs; may be fewer.
    package let inputs: [TFLiteTensorMetadata]
    /// In the order of the subgraph's outputs; may be fewer.
    package let outputs: [TFLiteTensorMetadata]
    package let associatedFiles: [TFLiteAssociatedFile]
  }

  /// The name of the model's metadata entry that holds it.
  package static let entryName = "TFLITE_METADATA"

  /// The metadata of a model, or nil when it has none.
  /// - Throws: ``ApusError`` of kind `malformedModel` when it is damaged, or a number in it makes no sense.
  package init?(of model: TFLiteModel) throws(ApusError) {
    guard let entry = model.metadata.first(where: { $0.name == Self.entryName }), !entry.data.isEmpty else {
      return nil
    }
    let buffer = try FlatBuffer(model.bytes, in: entry.data, identifier: "M001", format: "TFLite metadata")
    let root = try buffer.root(named: "ModelMetadata")
    name = try root.string(0, "name") ?? ""
    description = try root.string(1, "description") ?? ""
    version = try root.string(2, "version") ?? ""
    subgraphs = try root.tables(3, "subgraph_metadata", as: "SubGraphMetadata")
      .map { (_, table) throws(ApusError) in try Subgraph(table) }
    author = try root.string(4, "author") ?? ""
    license = try root.string(5, "license") ?? ""
    associatedFiles = try TFLiteAssociatedFile.list(root, 6)
  }
}

extension TFLiteMetadata.Subgraph {
  init(_ table: FlatBufferTable) throws(ApusError) {
    name = try table.string(0, "name") ?? ""
    description = try table.string(1, "description") ?? ""
    inputs = try table.tables(2, "input_tensor_metadata", as: "TensorMetadata")
      .map { (_, table) throws(ApusError) in try TFLiteTensorMetadata(table) }
    outputs = try table.tables(3, "output_tensor_metadata", as: "TensorMetadata")
      .map { (_, table) throws(ApusError) in try TFLiteTensorMetadata(table) }
    associatedFiles = try TFLiteAssociatedFile.list(table, 4)
  }
}

/// A file that comes with a model, packed into the zip archive behind it.
package struct TFLiteAssociatedFile: Sendable, Equatable {
  package enum Kind: Int8, Sendable {
    case unknown = 0
    case descriptions = 1
    /// A label for each place along an axis of the tensor: the classes of a classifier.
    case axisLabels = 2
    /// A label for each value that an element can have.
    case valueLabels = 3
    case scoreCalibration = 4
    case vocabulary = 5
  }

  package let name: String
  package let description: String
  package let kind: Kind
  /// The language, such as `en` or `en-US`; empty when none is given.
  package let locale: String

  static func list(_ table: FlatBufferTable, _ slot: Int) throws(ApusError) -> [Self] {
    try table.tables(slot, "associated_files", as: "AssociatedFile").map { (_, table) throws(ApusError) in
      // Kinds of later versions of the schema are files like any other.
      let kind = Kind(rawValue: try table.integer(2, "type", default: 0))
      return Self(
        name: try table.string(0, "name") ?? "", description: try table.string(1, "description") ?? "",
        kind: kind ?? .unknown, locale: try table.string(3, "locale") ?? "")
    }
  }
}
