import TensorCore

/// Takes the parts of a pickle's operations off its bytes, in order.
struct PickleReader {
  let bytes: StoredBytes
  private(set) var position: Int
  private let end: Int

  /// - Parameter range: of the bytes, which there are.
  init(_ bytes: StoredBytes, _ range: Range<Int>) {
    (self.bytes, position, end) = (bytes, range.lowerBound, range.upperBound)
  }

  mutating func operation() throws(ApusError) -> PickleOperation {
    let start = position
    let code: UInt8 = try number()
    guard let operation = PickleOperation(rawValue: code) else {
      throw ApusError(
        .unsupportedModel, "operation \(code) of Python's pickles", expected: "those that tensors need",
        at: "byte \(start)", advice: "Save the weights alone: torch.save(model.state_dict(), file).")
    }
    return operation
  }

  /// A little-endian number.
  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type = Number.self
  ) throws(ApusError) -> Number {
    let range = try take(MemoryLayout<Number>.size)
    return bytes.integer(at: range.lowerBound)
  }

  /// As many bytes as a number before them says.
  mutating func counted<Number: FixedWidthInteger & BitwiseCopyable>(
    by _: Number.Type
  ) throws(ApusError) -> [UInt8] {
    let count: Number = try number()
    guard let count = Int(exactly: count), count >= 0 else {
      throw error("a text or number of \(count) bytes", expected: "at most the rest of the file")
    }
    return Array(bytes[try take(count)])
  }

  /// The bytes up to the end of a line.
  mutating func line() throws(ApusError) -> [UInt8] {
    var line: [UInt8] = []
    while true {
      let byte: UInt8 = try number()
      guard byte != UInt8(ascii: "\n") else { return line }
      guard line.count < 1024 else {
        throw error("a name of over 1024 bytes", expected: "that of a Python class")
      }
      line.append(byte)
    }
  }

  mutating func take(_ count: Int) throws(ApusError) -> Range<Int> {
    guard count <= end - position else {
      throw error(
        "\(count) bytes", expected: "at most the \(end - position) that are left",
        advice: "The file may have been downloaded in part only.")
    }
    defer { position += count }
    return position..<position + count
  }

  func error(_ problem: String, expected: String? = nil, advice: String? = nil) -> ApusError {
    ApusError(.malformedModel, problem, expected: expected, at: "byte \(position)", advice: advice)
  }
}
