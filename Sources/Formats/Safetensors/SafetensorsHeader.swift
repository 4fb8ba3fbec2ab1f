import TensorCore

/// The verified header of a safetensors file: which tensors the data behind it hold.
///
/// The file is eight bytes with the header's length, little-endian; the header, a JSON object; the data. Each
/// key of the object names a tensor, but `__metadata__` leads to texts by name. The tensors fill the data
/// without hole or overlap.
struct SafetensorsHeader: Sendable {
  /// In the order of the data.
  let entries: [SafetensorsEntry]
  let metadata: [ExactText: String]

  /// The header's length at most, by the format.
  static let maximumByteCount = 100_000_000
  /// Bytes that hold the header's length.
  static let lengthByteCount = 8

  /// - Parameters:
  ///   - text: the header.
  ///   - dataByteCount: bytes that follow it in the file.
  /// - Throws: ``ApusError`` of kind `malformedModel` that says where in the header which rule is broken.
  init(_ text: [UInt8], dataByteCount: Int) throws(ApusError) {
    guard text.first == UInt8(ascii: "{") else {
      throw Self.error("the header does not start with '{'")
    }
    let reader: SafetensorsHeaderReader
    do {
      reader = try SafetensorsHeaderReader(text)
    } catch {
      var error = error
      error.kind = .malformedModel
      throw error.at("header")
    }
    metadata = reader.metadata
    entries = reader.entries.sorted {
      ($0.bytes.lowerBound, $0.bytes.upperBound) < ($1.bytes.lowerBound, $1.bytes.upperBound)
    }
    try Self.check(entries, dataByteCount: dataByteCount)
  }

  /// The length that the first eight bytes of a file state.
  /// - Throws: ``ApusError`` of kind `malformedModel` when it is over the limit or the file.
  static func byteCount(_ prefix: [UInt8], fileByteCount: Int) throws(ApusError) -> Int {
    guard prefix.count == lengthByteCount else {
      throw error("a file of \(fileByteCount) bytes", expected: "8 bytes with the length of the header")
    }
    let count = prefix.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard count <= UInt64(maximumByteCount) else {
      throw error(
        "a header of \(count) bytes", expected: "at most \(maximumByteCount)",
        advice: "This is probably not a safetensors file.")
    }
    let room = fileByteCount - lengthByteCount
    guard Int(count) <= room else {
      throw error(
        "a header of \(count) bytes", expected: "at most the \(room) that follow",
        advice: "The file may have been downloaded in part only.")
    }
    return Int(count)
  }

  private static func check(_ entries: [SafetensorsEntry], dataByteCount: Int) throws(ApusError) {
    var end = 0
    for entry in entries {
      guard let byteCount = entry.type.byteCount(of: entry.shape) else {
        throw error(
          "\(entry.type.rawValue)\(entry.shape) is no whole number of bytes in range", at: entry.label)
      }
      guard entry.bytes.lowerBound == end else {
        let fault = entry.bytes.lowerBound < end ? "overlaps another tensor" : "leaves a hole before it"
        throw error(
          "starts at byte \(entry.bytes.lowerBound) of the data and \(fault)", expected: "\(end)",
          at: entry.label)
      }
      guard entry.bytes.count == byteCount else {
        throw error(
          "\(entry.bytes.count) bytes for \(entry.type.rawValue)\(entry.shape)", expected: "\(byteCount)",
          at: entry.label)
      }
      end = entry.bytes.upperBound
    }
    guard end == dataByteCount else {
      throw error(
        "\(dataByteCount) bytes of data", expected: "\(end), where the last tensor ends",
        advice: dataByteCount < end ? "The file may have been downloaded in part only." : nil)
    }
  }

  private static func error(
    _ problem: String, expected: String? = nil, at location: String? = nil, advice: String? = nil
  ) -> ApusError {
    ApusError(.malformedModel, problem, expected: expected, at: location, advice: advice)
  }
}
