import JSONCoding
import TensorCore

/// Reads the JSON of a safetensors header tensor by tensor, without a tree of all of it in between.
struct SafetensorsHeaderReader {
  private(set) var entries: [SafetensorsEntry] = []
  private(set) var metadata: [ExactText: String] = [:]

  /// - Throws: ``ApusError`` of kind `configuration` that names line and column.
  init(_ text: [UInt8]) throws(ApusError) {
    var parser = JSONReader(text[...])
    var entries: [SafetensorsEntry] = []
    var metadata: [ExactText: String] = [:]
    try parser.eachMember { (parser, key) throws(ApusError) in
      if key == "__metadata__" {
        metadata = try Self.metadata(&parser)
      } else {
        entries.append(try Self.entry(key.text, &parser))
      }
    }
    try parser.end()
    self.entries = entries
    self.metadata = metadata
  }

  private static func metadata(_ parser: inout JSONReader) throws(ApusError) -> [ExactText: String] {
    var metadata: [ExactText: String] = [:]
    try parser.eachMember { (parser, key) throws(ApusError) in metadata[key] = try text(&parser) }
    return metadata
  }

  private static func entry(
    _ name: String, _ parser: inout JSONReader
  ) throws(ApusError) -> SafetensorsEntry {
    var type: SafetensorsType?
    var shape: [Int]?
    var offsets: [Int]?
    try parser.eachMember { (parser, key) throws(ApusError) in
      switch key {
      case "dtype": type = try elementType(&parser)
      case "shape": shape = try naturalNumbers(&parser)
      case "data_offsets": offsets = try naturalNumbers(&parser)
      default: _ = try parser.value(depth: 2)
      }
    }
    guard let type, let shape, let offsets else {
      throw parser.error("tensor '\(name.clipped)' lacks a key", expected: "dtype, shape and data_offsets")
    }
    guard offsets.count == 2, offsets[0] <= offsets[1] else {
      throw parser.error(
        "tensor '\(name.clipped)' has data_offsets \(offsets.prefix(4))", expected: "its start and its end")
    }
    return SafetensorsEntry(name: name, type: type, shape: shape, bytes: offsets[0]..<offsets[1])
  }

  private static func elementType(_ parser: inout JSONReader) throws(ApusError) -> SafetensorsType {
    let name = try text(&parser)
    guard let type = SafetensorsType(rawValue: name) else {
      let names = SafetensorsType.allCases.map(\.rawValue).joined(separator: ", ")
      throw parser.error("the element type '\(name.clipped)'", expected: "one of \(names)")
    }
    return type
  }

  private static func text(_ parser: inout JSONReader) throws(ApusError) -> String {
    parser.skipSpace()
    guard parser.peek == UInt8(ascii: "\"") else { throw parser.unexpected("text in quotes") }
    return try parser.string()
  }

  private static func naturalNumbers(_ parser: inout JSONReader) throws(ApusError) -> [Int] {
    var numbers: [Int] = []
    try parser.eachElement { (parser) throws(ApusError) in
      parser.skipSpace()
      guard let first = parser.peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else {
        throw parser.unexpected("a whole number of at least 0")
      }
      let digits = try parser.digits()
      guard let number = Int(digits) else {
        throw parser.error("the number \(digits.clipped)", expected: "a whole number below 2⁶³")
      }
      numbers.append(number)
    }
    return numbers
  }
}
