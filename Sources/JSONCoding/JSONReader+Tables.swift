import TensorCore

/// Large tables, such as vocabularies, read without a value for each entry.
extension JSONReader {
  /// Reads an object whose values are whole numbers. `entry` is given the bytes of each key, which may break the
  /// rules of UTF-8 and may come twice.
  package mutating func eachNumberedKey(
    _ entry: (_ key: Span<UInt8>, _ number: Int) throws(ApusError) -> Void
  ) throws(ApusError) {
    var place: Range<Int>?
    var copy: [UInt8] = []
    try eachPair { (reader) throws(ApusError) in
      place = try reader.text(copiedTo: &copy)
    } value: { (reader) throws(ApusError) in
      reader.skipSpace()
      let number = try reader.naturalNumber()
      do throws(ApusError) {
        if let place {
          try entry(reader.bytes.span.extracting(place), number)
        } else {
          try entry(copy.span, number)
        }
      } catch {
        throw reader.placed(error)
      }
    }
  }

  /// Reads a text in quotes; `body` is given its bytes, which may break the rules of UTF-8. What it throws gets the place
  /// behind the text.
  package mutating func text(_ body: (Span<UInt8>) throws(ApusError) -> Void) throws(ApusError) {
    var copy: [UInt8] = []
    let place = try text(copiedTo: &copy)
    do throws(ApusError) {
      if let place { try body(bytes.span.extracting(place)) } else { try body(copy.span) }
    } catch {
      throw placed(error)
    }
  }

  /// Reads a text in quotes.
  /// - Returns: the place of its bytes in the span of ``bytes``; nil for one with escapes, which `copy` then is.
  private mutating func text(copiedTo copy: inout [UInt8]) throws(ApusError) -> Range<Int>? {
    if let place = plainText() { return place }
    copy.removeAll(keepingCapacity: true)
    try string(into: &copy)
    return nil
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
