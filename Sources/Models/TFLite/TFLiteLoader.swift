import Formats
import TensorCore

/// Opening `.tflite` files.
package enum TFLiteLoader {
  /// The largest file accepted, in bytes.
  package static let limit = 4 << 30

  /// Reads and verifies the file at `path`.
  /// - Returns: what can be imported of it, and the bytes, which metadata and labels are read from.
  /// - Throws: ``ApusError`` that names the file.
  package static func load(_ path: String) throws(ApusError) -> (importer: TFLiteImporter, bytes: [UInt8]) {
    let bytes = try FileBytes.read(path, limit: limit)
    do {
      return (try TFLiteImporter(TFLiteModel(bytes), bytes: bytes), bytes)
    } catch {
      throw error.inFile(path)
    }
  }
}
