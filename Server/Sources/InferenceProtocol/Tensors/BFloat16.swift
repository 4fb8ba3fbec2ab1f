/// The upper half of a `Float`: what BF16 means.
enum BFloat16 {
  /// The nearest one, halves to even.
  static func bits(_ number: Float) -> UInt16 {
    let bits = number.bitPattern
    // NaN stays one: rounding could carry it into infinity.
    guard !number.isNaN else { return UInt16(truncatingIfNeeded: bits >> 16) | 0x40 }
    return UInt16(truncatingIfNeeded: (bits &+ 0x7FFF &+ (bits >> 16 & 1)) >> 16)
  }

  /// The number that the bits mean.
  static func number(_ bits: UInt16) -> Float { Float(bitPattern: UInt32(bits) << 16) }
}
