import CLibrary

/// A pipe, a terminal or another device that bytes are handed to as they come.
package final class OutputStream {
  private let path: String
  private let descriptor: CInt

  /// - Throws: ``ApusError`` of kind `file` when it cannot be opened.
  package init(_ path: String) throws(ApusError) {
    self.path = path
    descriptor = path.inPlace { openat($0, $1, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure("cannot be opened") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Throws: ``ApusError`` of kind `file`, when the reader is gone, say.
  package func write(_ bytes: [UInt8]) throws(ApusError) {
    try bytes.span.withUnsafeBytes { (bytes) throws(ApusError) in
      guard Descriptor.write(bytes, to: descriptor) else { throw failure("cannot be written") }
    }
  }

  private func failure(_ problem: String) -> ApusError {
    ApusError(.file, "\(problem): \(String(cString: strerror(errno)))", file: path)
  }
}
