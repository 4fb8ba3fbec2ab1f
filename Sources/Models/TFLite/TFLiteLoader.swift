import Formats
import TensorCore

/// Opening `.tflite` files.
package enum TFLiteLoader {
  /// The largest file accepted, in bytes.
  package static let limit = 4 << 30

  /// Whether there is such a file at `path`, whatever it is called: by the identifier of its format.
  package static func isModel(_ path: String) -> Bool {
    FileBytes.beginning(of: path, count: 8)?.dropFirst(4).elementsEqual(TFLiteModel.identifier.utf8) ?? false
  }

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
