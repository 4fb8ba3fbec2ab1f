import TensorCore

/// The indices of a sparse tensor, in a copy: what was checked of them stays so, whatever becomes of the file.
package struct TFLiteIndexVector: Sendable {
  /// The tables of the schema that hold such a vector, by their numbers in its union.
  private enum Kind: UInt8 {
    case int32 = 1
    case uint16 = 2
    case uint8 = 3

    var table: String {
      switch self {
      case .int32: "Int32Vector"
      case .uint16: "Uint16Vector"
      case .uint8: "Uint8Vector"
      }
    }

    var byteCount: Int {
      switch self {
      case .int32: 4
      case .uint16: 2
      case .uint8: 1
      }
    }
  }

  package let count: Int
  private let bytes: StoredBytes
  private let kind: Kind

  /// The vector in a union, whose kind is in the slot before it.
  /// - Throws: ``ApusError`` for an unknown kind, or none at all.
  init(_ table: FlatBufferTable, _ slot: Int, _ name: String) throws(ApusError) {
    let raw = try table.integer(slot - 1, name + "_type", default: 0 as UInt8)
    guard let kind = Kind(rawValue: raw) else {
      throw table.error(slot - 1, name + "_type", "indices of kind \(raw)", expected: "one of 1 to 3")
    }
    guard let vector = try table.table(slot, name, as: kind.table), let buffer = vector.buffer,
      let range = try vector.elementRange(0, "values", width: kind.byteCount)
    else { throw table.error(slot, name, "no values", expected: "a vector of them") }
    self.kind = kind
    bytes = try buffer.bytes.copy(of: range)
    count = range.count / kind.byteCount
  }

  /// The index at a position below ``count``; only those of 32 bits can be negative.
  package subscript(position: Int) -> Int {
    let place = position * kind.byteCount
    return switch kind {
    case .int32: Int(bytes.integer(at: place) as Int32)
    case .uint16: Int(bytes.integer(at: place) as UInt16)
    case .uint8: Int(bytes[place])
    }
  }
}
