import TensorCore

/// Where the elements of a tensor lie in a file beside the model: `TensorProto.external_data`.
package struct ONNXExternalData: Sendable {
  /// The file, relative to the model's folder and inside it.
  package let location: String
  package let offset: Int
  /// Bytes; up to the end of the file when nil.
  package let length: Int?

  init(_ entries: [(key: String, value: String)]) throws(ApusError) {
    var location: String?
    var (offset, length) = (0, Int?.none)
    for (key, value) in entries {
      switch ExactText(key) {
      case "location": location = value
      case "offset": offset = try Self.number(value, key)
      case "length": length = try Self.number(value, key)
      default: break
      }
    }
    guard let location, !location.isEmpty else {
      throw ApusError(.malformedModel, "elements in a file without a name")
    }
    let parts = location.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isInside = parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual("..".utf8) && !$0.contains(0) }
    guard isInside else {
      throw ApusError(
        .malformedModel, "elements in '\(location.clipped)'", expected: "a file in the folder of the model")
    }
    (self.location, self.offset, self.length) = (location, offset, length)
  }

  private static func number(_ text: String, _ key: String) throws(ApusError) -> Int {
    guard let number = Int(text), number >= 0 else {
      throw ApusError(
        .malformedModel, "the \(key) '\(text.clipped)' of elements in a file", expected: "a number")
    }
    return number
  }

  /// The range of a file's bytes.
  /// - Throws: ``ApusError`` of kind `malformedModel` where the file is too short.
  package func range(in fileByteCount: Int) throws(ApusError) -> Range<Int> {
    guard offset <= fileByteCount, length ?? 0 <= fileByteCount - offset else {
      throw ApusError(
        .malformedModel, "\(length ?? 0) bytes from byte \(offset) of '\(location.clipped)'",
        expected: "at most its \(fileByteCount) bytes")
    }
    return offset..<(length.map { offset + $0 } ?? fileByteCount)
  }
}
