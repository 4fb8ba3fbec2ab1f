extension FixedPointMultiplier {
  /// `value × real` for sums of 64 bits, as TFLite's int16 kernels apply it: with the multiplier reduced to
  /// 16 bits, and rounded once, halves upward. `value` has at most 48 bits.
  @inlinable @inline(__always)
  public func apply(wide value: Int64) -> Int32 {
    let reduced: Int64 =
      multiplier < 0x7FFF_0000 ? (Int64(multiplier) + (1 << 15)) >> 16 : 0x7FFF
    let total = Int64(15 - shift)
    let half: Int64 = total > 0 ? 1 << (total - 1) : 0
    return Int32(truncatingIfNeeded: (value &* reduced &+ half) >> total)
  }
}
