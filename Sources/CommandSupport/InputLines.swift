import CLibrary
import TensorCore

/// The lines of standard input or of a file, or what stands between the zeros in it, as they come.
package final class InputLines {
  /// Bytes of a line, at most: more than any text or name has, and less than memory.
  private static let longestLine = 64 << 20
  /// Bytes that are read at a time.
  private static let chunkLength = 1 << 16

  private let descriptor: Int32
  private let end: UInt8
  /// The file's name; nil for standard input.
  private let file: String?
  /// Bytes read and not yet returned.
  private var rest: ArraySlice<UInt8> = []
  private var isAtStart = true

  /// The lines of standard input.
  /// - Parameter areDividedByZeros: whether zeros end them in place of line breaks.
  package convenience init(areDividedByZeros: Bool = false) {
    self.init(STDIN_FILENO, ofFile: nil, areDividedByZeros: areDividedByZeros)
  }

  private init(_ descriptor: Int32, ofFile file: String?, areDividedByZeros: Bool) {
    self.descriptor = descriptor
    self.file = file
    end = areDividedByZeros ? 0 : UInt8(ascii: "\n")
  }

  /// Whether the next line, or the end, has not come yet: asking for it would wait.
  package var isWaiting: Bool {
    guard placeOfEnd(after: 0) == nil else { return false }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) == 0
  }

  /// The next line; nil at the end.
  /// - Throws: ``ApusError``: kind `file` for what cannot be read, so that no list that ends early is taken for a whole one;
  ///   `resources` for a line that is too long.
  package func next() throws(ApusError) -> [UInt8]? {
    var searched = 0
    while true {
      if let place = placeOfEnd(after: searched) {
        let line = line(rest[..<place])
        // A long line's bytes are not kept for the few behind it.
        let isLong = place - rest.startIndex > Self.chunkLength
        rest = isLong ? Array(rest[(place + 1)...])[...] : rest[(place + 1)...]
        return line
      }
      searched = rest.count
      guard searched <= Self.longestLine else {
        throw failure(
          .resources, "has a line of more than \(Self.longestLine >> 20) MiB",
          expected: "lines that fit in memory")
      }
      let more = withoutMark(try chunk())
      if more.isEmpty {
        defer { rest = [] }
        return rest.isEmpty ? nil : line(rest)
      }
      rest += more
    }
  }

  /// The next line as a text, in which bytes that are no UTF-8 read as U+FFFD; nil at the end.
  /// - Throws: ``ApusError`` as ``next()`` does.
  package func nextText() throws(ApusError) -> String? {
    guard let line = try next() else { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  /// Where the line that `rest` begins with ends; so many bytes are known to hold no end.
  private func placeOfEnd(after searched: Int) -> Int? {
    rest[(rest.startIndex + searched)...].withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, CInt(end), bytes.count) else {
        return nil
      }
      return rest.startIndex + searched + (UnsafeRawPointer(found) - start)
    }
  }

  private func line(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let endsInReturn = end != 0 && !bytes.isEmpty && bytes[bytes.endIndex - 1] == UInt8(ascii: "\r")
    return Array(bytes[..<(bytes.endIndex - (endsInReturn ? 1 : 0))])
  }

  /// Without the byte order mark that editors put before a text; between zeros stand names as they are.
  private func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    defer { isAtStart = false }
    return isAtStart && end != 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// The bytes available now; empty at the end.
  private func chunk() throws(ApusError) -> [UInt8] {
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { buffer, count in
      count = Descriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
      if count < 0 { (code, count) = (errno, 0) }
    }
    guard code == 0 else { throw failure(.file, "cannot be read: \(String(cString: strerror(code)))") }
    return bytes
  }

  private func failure(_ kind: ApusError.Kind, _ problem: String, expected: String? = nil) -> ApusError {
    ApusError(kind, file == nil ? "standard input \(problem)" : problem, expected: expected, file: file)
  }
}

extension InputLines {
  /// Calls `body` with the lines of a file.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be opened, and what `body` throws: errors of its lines name it.
  package static func ofFile(
    _ path: String, areDividedByZeros: Bool, _ body: (InputLines) throws(ApusError) -> Void
  ) throws(ApusError) {
    guard !FileSystem.isFolder(path) else {
      throw ApusError(.file, "is a folder", expected: "a file of texts", file: path)
    }
    let descriptor = path.inPlace { openat($0, $1, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw ApusError(.file, "cannot be opened: \(String(cString: strerror(errno)))", file: path)
    }
    defer { close(descriptor) }
    try body(InputLines(descriptor, ofFile: path, areDividedByZeros: areDividedByZeros))
  }
}
