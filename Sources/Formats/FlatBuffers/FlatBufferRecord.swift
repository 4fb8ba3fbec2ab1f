/// A table of a FlatBuffers message that is to be written: fields by slot, as in ``FlatBufferTable``.
package struct FlatBufferRecord: Sendable {
  enum Field: Sendable {
    /// The little-endian bytes of a number.
    case number([UInt8])
    case reference(FlatBufferContent)
  }

  private(set) var fields: [Int: Field] = [:]

  package init() {}

  /// Sets an integer; one that is the schema's default is left out, as the reference writers do.
  package mutating func set<T: FixedWidthInteger>(_ slot: Int, _ value: T, default fallback: T = 0) {
    fields[slot] = value == fallback ? nil : .number(value.littleEndianBytes)
  }

  package mutating func set(_ slot: Int, _ value: Float, default fallback: Float = 0) {
    fields[slot] = value == fallback ? nil : .number(value.bitPattern.littleEndianBytes)
  }

  package mutating func set(_ slot: Int, _ value: Bool, default fallback: Bool = false) {
    set(slot, value ? 1 : 0, default: (fallback ? 1 : 0) as UInt8)
  }

  /// Sets what a field refers to; nil leaves it out.
  package mutating func set(_ slot: Int, _ content: FlatBufferContent?) {
    fields[slot] = content.map { .reference($0) }
  }
}

/// What a field of a message refers to.
package enum FlatBufferContent: Sendable {
  case record(FlatBufferRecord)
  case records([FlatBufferRecord])
  case string(String)
  /// The little-endian bytes of a vector's elements, `width` bytes each, the first at a multiple of `alignment`.
  case vector([UInt8], width: Int, alignment: Int)

  /// A vector of integers.
  package static func integers<T: FixedWidthInteger>(_ values: [T]) -> FlatBufferContent {
    let width = T.bitWidth / 8
    return .vector(values.flatMap(\.littleEndianBytes), width: width, alignment: width)
  }

  package static func floats(_ values: [Float]) -> FlatBufferContent {
    .integers(values.map(\.bitPattern))
  }
}

extension FixedWidthInteger {
  var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
