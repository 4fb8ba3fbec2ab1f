import TensorCore

/// Large tables, such as vocabularies, read without a value for each entry.
extension JSONParser {
  /// Reads an object whose values are whole numbers. `entry` is given the bytes of each key, which may break the
  /// rules of UTF-8 and may come twice.
  package mutating func eachNumberedKey(
    _ entry: (_ key: [UInt8], _ number: Int) throws(ApusError) -> Void
  ) throws(ApusError) {
    skipSpace()
    guard take(UInt8(ascii: "{")) else { throw unexpected("an object") }
    skipSpace()
    if take(UInt8(ascii: "}")) { return }
    var key: [UInt8] = []
    while true {
      skipSpace()
      key.removeAll(keepingCapacity: true)
      try string(into: &key)
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw unexpected("':'") }
      skipSpace()
      let number = try wholeNumber()
      do { try entry(key, number) } catch { throw placed(error) }
      skipSpace()
      if take(UInt8(ascii: "}")) { return }
      guard take(UInt8(ascii: ",")) else { throw unexpected("',' or '}'") }
    }
  }

  /// A number of digits only, of at most 18.
  package mutating func wholeNumber() throws(ApusError) -> Int {
    var value = 0
    var count = 0
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, take(byte) {
      guard count < 18 else { throw error("a number of more than 18 digits") }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      count += 1
    }
    guard count > 0 else { throw unexpected("a whole number from 0") }
    return value
  }

  /// The same error with the place in the file.
  package func placed(_ cause: ApusError) -> ApusError {
    cause.at(error("").location ?? "JSON")
  }
}
