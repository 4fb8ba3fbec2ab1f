import Glibc
import TensorCore

/// Files that commands write.
package enum OutputFile {
  /// - Throws: ``ApusError`` of kind `file` when the file cannot be written.
  package static func write(_ bytes: [UInt8], to path: String) throws(ApusError) {
    let descriptor = path.withFileName { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
    defer { close(descriptor) }
    guard descriptor >= 0, StandardStreams.write(bytes, to: descriptor) else {
      throw ApusError(.file, "it cannot be written: \(String(cString: strerror(errno)))", file: path)
    }
  }
}
