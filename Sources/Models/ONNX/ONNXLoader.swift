import Formats
import TensorCore

/// Opening `.onnx` files.
package enum ONNXLoader {
  /// Whether there is such a file at `path`, whatever it is called. The format has no mark of its own: a file begins with the
  /// version of the format, and then with another field of a model.
  package static func isModel(_ path: String) -> Bool {
    guard let bytes = FileBytes.beginning(of: path, count: 3), bytes.count == 3 else { return false }
    // Fields 1 to 8, 14, 20 and 25 of `ModelProto`, by their number and wire type.
    let next: [UInt8] = [0x12, 0x1A, 0x22, 0x28, 0x32, 0x3A, 0x42, 0x72]
    return bytes[0] == 0x08 && (1...64).contains(bytes[1]) && next.contains(bytes[2])
  }

  /// Maps and reads the file at `path`.
  /// - Throws: ``ApusError`` that names the file.
  package static func load(_ path: String) throws(ApusError) -> ONNXImporter {
    let file = try MappedFile(path)
    do throws(ApusError) {
      return ONNXImporter(try ONNXModel(StoredBytes(file.storage)), folder: FileName.folder(of: path))
    } catch {
      throw error.inFile(path)
    }
  }
}
