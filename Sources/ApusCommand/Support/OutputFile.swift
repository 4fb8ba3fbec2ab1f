import Foundation
import TensorCore

/// Files that commands write.
enum OutputFile {
  /// - Throws: ``ApusError`` of kind `file` when the file cannot be written.
  static func write(_ bytes: [UInt8], to path: String) throws(ApusError) {
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    } catch {
      throw ApusError(.file, "it cannot be written: \(error.localizedDescription)", file: path)
    }
  }
}
