import TensorCore

/// A new file that is written in pieces of any size.
final class BufferedFile {
  private static let bufferByteCount = 1 << 18

  private let file: NewFile
  private var buffer: [UInt8] = []
  /// Bytes written so far.
  private(set) var byteCount = 0

  init(replacing path: String) throws(ApusError) {
    file = try NewFile(replacing: path)
    buffer.reserveCapacity(2 * Self.bufferByteCount)
  }

  func write(_ bytes: [UInt8]) throws(ApusError) {
    byteCount += bytes.count
    if bytes.count >= Self.bufferByteCount {
      try flush()
      try file.write(bytes)
    } else {
      buffer += bytes
      if buffer.count >= Self.bufferByteCount { try flush() }
    }
  }

  private func flush() throws(ApusError) {
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes bytes over the first ones of the file.
  func overwriteStart(_ bytes: [UInt8]) throws(ApusError) {
    try flush()
    try file.overwrite(bytes, at: 0)
  }

  /// Gives the file its name.
  func commit() throws(ApusError) {
    try flush()
    try file.commit()
  }
}
