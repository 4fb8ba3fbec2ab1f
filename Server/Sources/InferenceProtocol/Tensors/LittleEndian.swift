extension [UInt8] {
  /// Appends a number's bytes, the lowest first.
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for byte in 0..<(Number.bitWidth / 8) { append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }
}

extension ArraySlice<UInt8> {
  /// The number whose lowest byte is `offset` bytes after the first one.
  func littleEndian<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number {
    var number: Number = 0
    for byte in 0..<(Number.bitWidth / 8) {
      number |= Number(truncatingIfNeeded: self[startIndex + offset + byte]) << (8 * byte)
    }
    return number
  }
}
