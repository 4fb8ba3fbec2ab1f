extension FixedPoint {
  /// The natural logarithm in Q5 of a Q12 `x` ≥ 1.
  ///
  /// The number is written as a power of two times a mantissa, whose logarithm a rational function gives;
  /// of the two ways to split, the one with the smaller mantissa counts.
  @inlinable @inline(__always)
  public static func logarithmOfQ12(_ x: Int32) -> Int32 {
    let rootHalf: Int32 = 1_518_500_250
    let quarter: Int32 = 1 << 23
    let headroom = Int32(x.leadingZeroBitCount) - 1
    let doubled = doublingHighProduct(saturatingShift(x, headroom), rootHalf)
    let mantissaA = saturatingShift(doubled, 1)
    let exponentA = saturatingSum(saturatingShift(12 - headroom - 1, 25), quarter)
    let scaled = doublingHighProduct(x, rootHalf)
    let headroomB = Int32(scaled.leadingZeroBitCount) - 1
    let mantissaB = saturatingShift(x, headroomB)
    let exponentB = Int32(clamping: Int64(saturatingShift(12 - headroomB, 25)) - Int64(quarter))
    let mantissa = min(mantissaA, mantissaB)
    let exponent = max(exponentA, exponentB)
    return saturatingShift(
      doublingHighProduct(exponent, 1_488_522_236) &+ logarithmOfMantissa(mantissa), 1)
  }

  /// The Q6 logarithm of a Q0 mantissa, relative to the fourth root of one half.
  @inlinable @inline(__always)
  public static func logarithmOfMantissa(_ r: Int32) -> Int32 {
    let rootRootHalf: Int32 = 1_805_811_301
    let p = roundingHalfSum(r, rootRootHalf)
    var q = r &- rootRootHalf
    q = q &+ q
    let square = doublingHighProduct(q, q)
    let numerator =
      doublingHighProduct(q, r) &+ doublingHighProduct(doublingHighProduct(q, square), 117_049_297)
    let inner = 1_057_819_769 &+ q &+ doublingHighProduct(127_690_142, square)
    let denominator = doublingHighProduct(p, inner) &+ doublingHighProduct(638_450_708, q)
    return doublingHighProduct(roundingShiftRight(numerator, 6), reciprocalOfOnePlus(denominator))
  }
}
