import TensorCore

/// A new file, or a pipe, that is written in pieces of any size.
final class BufferedFile {
  private static let bufferByteCount = 1 << 18

  private enum Target {
    case file(NewFile)
    case stream(OutputStream)
  }

  private let target: Target
  private var buffer: [UInt8] = []
  /// Bytes written so far.
  private(set) var byteCount = 0

  init(replacing path: String) throws(ApusError) {
    target = FileSystem.isStream(path) ? .stream(try OutputStream(path)) : .file(try NewFile(following: path))
    buffer.reserveCapacity(2 * Self.bufferByteCount)
  }

  func write(_ bytes: [UInt8]) throws(ApusError) {
    byteCount += bytes.count
    if bytes.count >= Self.bufferByteCount {
      try flush()
      try hand(bytes)
    } else {
      buffer += bytes
      if buffer.count >= Self.bufferByteCount { try flush() }
    }
  }

  private func flush() throws(ApusError) {
    try hand(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private func hand(_ bytes: [UInt8]) throws(ApusError) {
    switch target {
    case .file(let file): try file.write(bytes)
    case .stream(let stream): try stream.write(bytes)
    }
  }

  /// Overwrites the first bytes of a file; a pipe's are gone.
  func overwriteStart(_ bytes: [UInt8]) throws(ApusError) {
    try flush()
    if case .file(let file) = target { try file.overwrite(bytes, at: 0) }
  }

  /// Gives the file its name.
  func commit() throws(ApusError) {
    try flush()
    if case .file(let file) = target { try file.commit() }
  }
}
