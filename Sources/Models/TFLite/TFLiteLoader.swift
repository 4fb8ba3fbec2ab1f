import Formats
import TensorCore

/// Opening `.tflite` files.
package enum TFLiteLoader {
  /// Whether there is such a file at `path`, whatever it is called: by the identifier of its format.
  package static func isModel(_ path: String) -> Bool {
    FileBytes.beginning(of: path, count: 8)?.dropFirst(4).elementsEqual(TFLiteModel.identifier.utf8) ?? false
  }

  /// Maps and verifies the file at `path`.
  /// - Throws: ``ApusError`` that names the file.
  package static func load(_ path: String) throws(ApusError) -> TFLiteImporter {
    let file = try MappedFile(path)
    do throws(ApusError) {
      let model = try TFLiteModel(StoredBytes(file.storage))
      try file.checkUndamaged()
      return TFLiteImporter(model)
    } catch {
      throw error.inFile(path)
    }
  }
}
