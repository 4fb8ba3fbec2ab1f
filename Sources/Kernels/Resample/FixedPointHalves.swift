/// A weight of 32 bits as two of 16, whose products with bytes vector units of any age add up.
enum FixedPointHalves {
  /// Bits of the lower half, which is never negative. Those of the upper half are enough for weights of up to 16 with
  /// the 22 fraction bits that Pillow has; a filter's weights, whose sum is 1, stay below 4.
  static let lowBits: Int32 = 11

  static func low(_ weight: Int32) -> Int16 { Int16(truncatingIfNeeded: weight & (1 << lowBits - 1)) }

  static func high(_ weight: Int32) -> Int16 { Int16(clamping: weight >> lowBits) }

  /// Two halves in one lane.
  static func pair(_ first: Int16, _ second: Int16) -> Int32 {
    Int32(truncatingIfNeeded: UInt32(UInt16(bitPattern: first)) | UInt32(UInt16(bitPattern: second)) << 16)
  }
}
