extension FixedPointMultiplier {
  /// The multiplier in 16 bits, rounded to nearest.
  @inlinable @inline(__always)
  var reduced: Int64 { multiplier < 0x7FFF_0000 ? (Int64(multiplier) + (1 << 15)) >> 16 : 0x7FFF }

  /// `value × real` for sums of 64 bits, as TFLite's int16 kernels apply it: with the multiplier reduced to
  /// 16 bits, and rounded once, halves upward. `value` has at most 48 bits.
  @inlinable @inline(__always)
  public func apply(wide value: Int64) -> Int32 {
    let total = Int64(15 - shift)
    let half: Int64 = total > 0 ? 1 << (total - 1) : 0
    return Int32(truncatingIfNeeded: (value &* reduced &+ half) >> total)
  }
}

/// How a 64-bit sum becomes a result: (sum × factor + addend) >> shift, in arithmetic that wraps.
package struct WideScaling: Sendable {
  package let factor: Int64
  package let addend: Int64
  package let shift: Int64

  /// What ``FixedPointMultiplier/apply(wide:)`` or ``FixedPointMultiplier/applyOnce(_:)`` does to a sum and a bias.
  /// - Returns: nil for a multiplier of more than 2¹⁵, which shifts to the left.
  package init?(_ multiplier: FixedPointMultiplier, _ rounding: FixedPointMultiplier.Rounding, bias: Int64) {
    switch rounding {
    case .once: (factor, shift) = (Int64(multiplier.multiplier), 31 - Int64(multiplier.shift))
    case .twice: (factor, shift) = (multiplier.reduced, 15 - Int64(multiplier.shift))
    }
    guard (0...63).contains(shift) else { return nil }
    addend = bias &* factor &+ (shift > 0 ? 1 << (shift - 1) : 0)
  }
}
