import Glibc
import TensorCore

/// The lines of standard input or of a file, or what stands between the zeros in it, as they come.
package final class InputLines: Sequence, IteratorProtocol {
  /// Bytes of a line, at most: more than any text or name has, and less than memory.
  private static let longestLine = 64 << 20

  private let descriptor: Int32
  private let end: UInt8
  /// What was read and not yet given.
  private var rest: ArraySlice<UInt8> = []
  private var isAtStart = true
  /// Whether the last call gave no line because the next one is too long.
  package private(set) var holdsLongLine = false

  /// - Parameters:
  ///   - areDividedByZeros: whether zeros end them in place of line breaks.
  ///   - descriptor: of the open file; standard input where none is given.
  package init(areDividedByZeros: Bool = false, from descriptor: Int32 = STDIN_FILENO) {
    self.descriptor = descriptor
    end = areDividedByZeros ? 0 : UInt8(ascii: "\n")
  }

  /// Whether the next line, or the end, has not come yet: asking for it would wait.
  package var isWaiting: Bool {
    guard placeOfEnd(after: 0) == nil else { return false }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) == 0
  }

  package func next() -> [UInt8]? { next(refusesLongLine: true) }

  /// - Parameter refusesLongLine: whether a line that is too long ends the program; else it is kept for the next call,
  ///   and ``holdsLongLine`` tells that from the end.
  package func next(refusesLongLine: Bool) -> [UInt8]? {
    var searched = 0
    while true {
      if let place = placeOfEnd(after: searched) {
        defer { rest = rest[(place + 1)...] }
        return line(rest[..<place])
      }
      searched = rest.count
      if searched > Self.longestLine {
        if refusesLongLine { refuseLine() }
        holdsLongLine = true
        return nil
      }
      let more = withoutMark(chunk())
      if more.isEmpty {
        defer { rest = [] }
        return rest.isEmpty ? nil : line(rest)
      }
      rest += more
    }
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

  /// What has come meanwhile; empty at the end. What cannot be read ends the program: no list that ends early is
  /// taken for a whole one.
  private func chunk() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      repeat {
        count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      if count < 0 { failure() }
    }
  }

  private func failure() -> Never {
    finish(ApusError(.file, "\(name) cannot be read: \(String(cString: strerror(errno)))"))
  }

  private func refuseLine() -> Never {
    finish(
      ApusError(
        .resources, "a line of \(name) has more than \(Self.longestLine >> 20) MiB",
        expected: "lines that fit in memory"))
  }

  private var name: String { descriptor == STDIN_FILENO ? "standard input" : "the file of texts" }

  private func finish(_ error: ApusError) -> Never {
    StandardStreams.report("apus: \(error)")
    Program.printRecord("\(error)")
    StandardStreams.exit((ExitStatus(error) ?? .badInputFile).rawValue)
  }

  /// The same as texts; bytes that are no UTF-8 read as U+FFFD.
  package var texts: InputTexts { InputTexts(lines: self) }
}

/// Lines as texts.
package struct InputTexts: Sequence, IteratorProtocol {
  fileprivate let lines: InputLines

  package func next() -> String? {
    guard let line = lines.next() else { return nil }
    return String(decoding: line, as: UTF8.self)
  }
}

extension InputLines {
  /// Calls `body` with the lines of a file.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be opened.
  package static func ofFile(
    _ path: String, areDividedByZeros: Bool, _ body: (InputLines) throws(ApusError) -> Void
  ) throws(ApusError) {
    guard !FileSystem.isFolder(path) else {
      throw ApusError(.file, "is a folder", expected: "a file of texts", file: path)
    }
    let descriptor = path.withFileName { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw ApusError(.file, "cannot be opened: \(String(cString: strerror(errno)))", file: path)
    }
    defer { close(descriptor) }
    try body(InputLines(areDividedByZeros: areDividedByZeros, from: descriptor))
  }
}
