/// A number of bfloat16: the upper half of a float32, with its range and 8 significant bits.
///
/// Two are equal where their bits are.
@frozen public struct BFloat16: BitwiseCopyable, Sendable, Hashable {
  /// Sign, 8 bits of exponent and 7 of fraction.
  public let bitPattern: UInt16

  /// The number that the bits mean.
  @inlinable public init(bitPattern: UInt16) { self.bitPattern = bitPattern }

  /// The nearest number, halves to even. A NaN stays one, quiet, with its sign and the upper bits of its payload.
  @inlinable public init(_ value: Float) {
    let bits = value.bitPattern
    let rounded = (bits &+ 0x7FFF &+ (bits >> 16 & 1)) >> 16
    // Rounding could carry a NaN into infinity.
    bitPattern = UInt16(truncatingIfNeeded: value.isNaN ? bits >> 16 | 0x40 : rounded)
  }
}

extension Float {
  /// The exact value in float32.
  @inlinable public init(_ value: BFloat16) { self.init(bitPattern: UInt32(value.bitPattern) << 16) }
}

extension BFloat16: TensorElement {
  /// `bfloat16`.
  public static var dataType: DataType { .bfloat16 }
}
