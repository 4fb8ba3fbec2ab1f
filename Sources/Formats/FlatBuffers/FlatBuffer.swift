import TensorCore

/// A FlatBuffers message inside bytes, checked as it is read.
///
/// Every position is compared with the end of the message before a byte is touched. References point only
/// forwards, so tables cannot form a cycle; tables that are referred to many times are bounded by an
/// allowance in proportion to the message, so that a small file cannot describe a huge model.
///
/// Format: https://flatbuffers.dev/internals/. All numbers are little-endian.
package final class FlatBuffer {
  let bytes: StoredBytes
  /// Where in ``bytes`` the message lies; positions in errors count from the start of ``bytes``.
  let range: Range<Int>
  private var allowance: Int

  /// Tables inside tables, at most; the limit of the reference verifier.
  package static let maximumDepth = 64

  /// - Parameters:
  ///   - bytes: the file.
  ///   - range: the part of the file that is the message; all of it when nil.
  ///   - identifier: the four characters that must stand at byte 4.
  ///   - format: what the message is called in errors.
  package init(
    _ bytes: StoredBytes, in range: Range<Int>? = nil, identifier: String, format: String
  ) throws(ApusError) {
    self.bytes = bytes
    self.range = range ?? 0..<bytes.count
    self.allowance = self.range.count * 4 + 1 << 16
    guard self.range.lowerBound >= 0, self.range.upperBound <= bytes.count else {
      throw ApusError(.malformedModel, "\(format) at bytes \(self.range) of a file of \(bytes.count) bytes")
    }
    guard self.range.count >= 8 else {
      throw ApusError(
        .malformedModel, "\(self.range.count) bytes are too few for \(format)", expected: "at least 8 bytes")
    }
    let start = self.range.lowerBound
    let found = Array(bytes[start + 4..<start + 8])
    guard found.elementsEqual(identifier.utf8) else {
      throw ApusError(
        .malformedModel, "not \(format): the identifier is \(Self.printable(found))",
        expected: "\"\(identifier)\"", at: "offset \(start + 4)")
    }
  }

  /// The table that the message starts from.
  package func root(named name: String) throws(ApusError) -> FlatBufferTable {
    let field = FlatBufferField(table: name, name: "root")
    let position = try reference(at: range.lowerBound, field)
    return try FlatBufferTable(self, at: position, name: name, depth: 1)
  }

  /// The little-endian integer at a position.
  func integer<T: FixedWidthInteger & BitwiseCopyable>(at position: Int, _ field: FlatBufferField)
    throws(ApusError) -> T
  {
    try require(T.bitWidth / 8, at: position, field)
    return bytes.integer(at: position)
  }

  /// Where the reference at `position` points: forwards, at a multiple of four, with four bytes to read.
  func reference(at position: Int, _ field: FlatBufferField) throws(ApusError) -> Int {
    let distance = Int(try integer(at: position, field) as UInt32)
    let target = position + distance
    guard distance > 0, target <= range.upperBound - 4 else {
      throw field.error(
        "a reference to offset \(target)", expected: "one after it and before the end at \(range.upperBound)",
        at: position, advice: target >= range.upperBound ? Self.incomplete : nil)
    }
    guard (target - range.lowerBound).isMultiple(of: 4) else {
      throw field.error("a reference to the odd offset \(target)", expected: "a multiple of 4", at: position)
    }
    return target
  }

  /// The elements of the vector at `position`, as a range of bytes.
  func elements(width: Int, at position: Int, _ field: FlatBufferField) throws(ApusError) -> Range<Int> {
    let count = Int(try integer(at: position, field) as UInt32)
    let start = position + 4
    guard count <= (range.upperBound - start) / width else {
      throw field.error(
        "a vector of \(count) elements of \(width) bytes",
        expected: "at most the \(range.upperBound - start) bytes left", at: position, advice: Self.incomplete)
    }
    return start..<start + count * width
  }

  /// The little-endian integers of a vector, whose bytes ``elements(width:at:_:)`` found.
  func integers<T: FixedWidthInteger & BitwiseCopyable>(in range: Range<Int>, of: T.Type) -> [T] {
    let width = T.bitWidth / 8
    var integers: [T] = []
    integers.reserveCapacity(range.count / width)
    for position in stride(from: range.lowerBound, to: range.upperBound, by: width) {
      integers.append(bytes.integer(at: position))
    }
    return integers
  }

  func require(_ count: Int, at position: Int, _ field: FlatBufferField) throws(ApusError) {
    guard position >= range.lowerBound, position <= range.upperBound - count else {
      throw field.error(
        "\(count) bytes past the end at \(range.upperBound)", at: position, advice: Self.incomplete)
    }
  }

  /// Takes so many bytes of reading from the allowance of the message.
  func charge(_ count: Int, at position: Int, _ field: FlatBufferField) throws(ApusError) {
    allowance -= count
    guard allowance >= 0 else {
      throw field.error("the same bytes are referred to too many times", at: position)
    }
  }

  /// What to do about bytes that are referred to and not there.
  private static let incomplete = "The file is probably incomplete: copy it again, and compare its size."

  private static func printable(_ bytes: [UInt8]) -> String {
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    return isText ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : "\(bytes)"
  }
}

/// The name of a field, for errors.
struct FlatBufferField {
  let table: String
  let name: String

  func error(
    _ problem: String, expected: String? = nil, at position: Int, advice: String? = nil
  ) -> ApusError {
    ApusError(
      .malformedModel, problem, expected: expected, at: "offset \(position) (\(table).\(name))",
      advice: advice)
  }
}
