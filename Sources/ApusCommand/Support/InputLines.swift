import Glibc
import TensorCore

/// The lines of standard input, or what stands between the zeros in it, as they come.
struct InputLines: Sequence, IteratorProtocol {
  private let end: UInt8
  /// What was read and not yet given.
  private var rest: ArraySlice<UInt8> = []

  /// - Parameter areDividedByZeros: whether zeros end them in place of line breaks.
  init(areDividedByZeros: Bool = false) { end = areDividedByZeros ? 0 : UInt8(ascii: "\n") }

  mutating func next() -> [UInt8]? {
    var searched = 0
    while true {
      if let place = placeOfEnd(after: searched) {
        defer { rest = rest[(place + 1)...] }
        return line(rest[..<place])
      }
      searched = rest.count
      let more = Self.chunk()
      if more.isEmpty {
        defer { rest = [] }
        return rest.isEmpty ? nil : line(rest)
      }
      rest += more
    }
  }

  /// Where the line that `rest` begins with ends; so many bytes are known to hold no end.
  private func placeOfEnd(after searched: Int) -> Int? {
    rest.dropFirst(searched).withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, CInt(end), bytes.count) else {
        return nil
      }
      return rest.startIndex + searched + (UnsafeRawPointer(found) - start)
    }
  }

  private func line(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(end != 0 && bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
  }

  /// What has come meanwhile; empty at the end.
  private static func chunk() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      repeat {
        count = Swift.max(-1, Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count))
      } while count < 0 && errno == EINTR
      count = Swift.max(0, count)
    }
  }

  /// The same as texts; bytes that are no UTF-8 read as U+FFFD.
  var texts: some Sequence<String> { lazy.map { String(decoding: $0, as: UTF8.self) } }

  /// The same as names of files, but for empty ones.
  var names: some Sequence<String> { lazy.filter { !$0.isEmpty }.map(FileName.text) }
}

/// Texts given as arguments, in groups that are worked on together; `-` stands for those on standard input.
struct TextGroups: Sequence, IteratorProtocol {
  private var texts: AnyIterator<String>
  private let size: Int

  init(_ arguments: [String], _ list: ListArguments, size: Int) {
    texts = AnyIterator(
      arguments.lazy.flatMap { argument in
        argument == "-" ? AnySequence(list.lines.texts) : AnySequence([FileName.readable(argument)])
      }.makeIterator())
    self.size = size
  }

  mutating func next() -> [String]? {
    var group: [String] = []
    while group.count < size, let text = texts.next() { group.append(text) }
    return group.isEmpty ? nil : group
  }
}
