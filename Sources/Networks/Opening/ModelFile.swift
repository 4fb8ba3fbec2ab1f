import Formats
import Models
import TensorCore

/// A `.tflite` file that was read and verified.
package struct ModelFile: Sendable {
  package let path: String
  package let bytes: [UInt8]
  package let importer: TFLiteImporter

  package var description: TFLiteModel { importer.model }

  /// - Throws: ``ApusError`` with the file's name: it cannot be read, or its bytes break TFLite's rules.
  package init(_ path: String) throws(ApusError) {
    (importer, bytes) = try TFLiteLoader.load(path)
    self.path = path
  }

  /// What the file says of itself; nil when it says nothing.
  func metadata() throws(ApusError) -> TFLiteMetadata? {
    try naming(path) { () throws(ApusError) in try TFLiteMetadata(of: description, in: bytes) }
  }

  /// The names of the classes in it.
  func labels() throws(ApusError) -> LabelFile? {
    let metadata = try metadata()
    return try naming(path) { () throws(ApusError) in try metadata?.labels(ofOutput: 0, in: bytes) }
  }
}
