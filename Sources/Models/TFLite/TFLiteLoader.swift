import Formats
import TensorCore

/// Opening `.tflite` files.
package enum TFLiteLoader {
  /// The largest file accepted, in bytes.
  package static let limit = 4 << 30

  /// Reads and verifies the file at `path`.
  /// - Throws: ``ApusError`` that names the file.
  package static func load(_ path: String) throws(ApusError) -> TFLiteImporter {
    let bytes = try FileBytes.stored(path, limit: limit)
    do {
      return TFLiteImporter(try TFLiteModel(bytes))
    } catch {
      throw error.inFile(path)
    }
  }
}
