/// Integers of few bits as compressed-tensors packs them, and the weights that they stand for.
///
/// Stored is a weight's integer above the least one, `q + 2ᵇ⁻¹`: the first of a row in the lowest bits of its first
/// int32, the next ones above it. A row begins with an int32 of its own.
struct PackedIntegers {
  /// 4 or 8.
  let bits: Int

  /// Unpacks one row.
  /// - Parameter row: the int32 of the row, as bytes in little-endian order.
  func unpack(_ row: UnsafePointer<UInt8>, _ integers: UnsafeMutableBufferPointer<Int8>) {
    guard bits == 4 else {
      for index in integers.indices { integers[index] = Int8(bitPattern: row[index] ^ 0x80) }
      return
    }
    let pairs = integers.count / 2
    for index in 0..<pairs {
      integers[2 * index] = Int8(bitPattern: row[index] & 15) &- 8
      integers[2 * index + 1] = Int8(bitPattern: row[index] >> 4) &- 8
    }
    if integers.count % 2 == 1 { integers[2 * pairs] = Int8(bitPattern: row[pairs] & 15) &- 8 }
  }

  /// One of the integers that are packed along the other axis, as zero points are: number `index` of a column.
  /// - Parameter word: the int32 with the number.
  func integer(_ index: Int, in word: Int32) -> Int {
    let shift = index % (32 / bits) * bits
    return Int(UInt32(bitPattern: word) >> UInt32(shift)) & ((1 << bits) - 1) - 1 << (bits - 1)
  }

  /// `(q − zero) · scale` in float32, which holds the difference.
  static func scale(
    _ integers: UnsafeBufferPointer<Int8>, zero: Float, by scale: Float,
    _ weights: UnsafeMutablePointer<Float>
  ) {
    for index in integers.indices { weights[index] = (Float(integers[index]) - zero) * scale }
  }

  /// The nearest numbers of float16, halves to even.
  ///
  /// By integer operations without branches, as processors without conversions of float16 take them too.
  static func roundToFloat16(_ weights: UnsafeBufferPointer<Float>, _ halves: UnsafeMutablePointer<UInt16>) {
    for index in weights.indices {
      let sign = weights[index].bitPattern & 0x8000_0000
      let magnitude = weights[index].bitPattern ^ sign
      // Adding ½ puts the last bit of a subnormal float16, 2⁻²⁴, at the last bit of the sum.
      let small = (Float(bitPattern: magnitude) + 0.5).bitPattern &- Float(0.5).bitPattern
      // The exponent's bias goes from 127 to 15.
      let usual = (magnitude &- 112 << 23 &+ 0xFFF &+ (magnitude >> 13) & 1) >> 13
      let special: UInt32 = magnitude > 0x7F80_0000 ? 0x7E00 : 0x7C00
      let half = magnitude >= 143 << 23 ? special : magnitude < 113 << 23 ? small : usual
      halves[index] = UInt16(truncatingIfNeeded: half | sign >> 16)
    }
  }
}
