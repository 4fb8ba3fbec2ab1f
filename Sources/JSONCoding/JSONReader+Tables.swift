import TensorCore

/// Large tables, such as vocabularies, read without a value for each entry.
extension JSONReader {
  /// Reads an object whose values are whole numbers. `entry` is given the bytes of each key, which may break the
  /// rules of UTF-8 and may come twice.
  package mutating func eachNumberedKey(
    _ entry: (_ key: [UInt8], _ number: Int) throws(ApusError) -> Void
  ) throws(ApusError) {
    var key: [UInt8] = []
    try eachPair { (reader) throws(ApusError) in
      key.removeAll(keepingCapacity: true)
      try reader.string(into: &key)
    } value: { (reader) throws(ApusError) in
      reader.skipSpace()
      let number = try reader.naturalNumber()
      do throws(ApusError) { try entry(key, number) } catch { throw reader.placed(error) }
    }
  }

  /// A number of digits only, of at most 18.
  private mutating func naturalNumber() throws(ApusError) -> Int {
    var value = 0
    var count = 0
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      guard count < 18 else { throw error("a number of more than 18 digits") }
      position += 1
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      count += 1
    }
    guard count > 0 else { throw unexpected("a whole number from 0") }
    return value
  }
}
