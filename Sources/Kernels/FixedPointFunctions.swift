/// Functions of fixed-point numbers, as gemmlowp defines them and TFLite's quantized kernels use them.
///
/// A number of the format Q*i* is `raw / 2^(31 − i)`, so that Q0 covers −1 ..< 1 and Q5 covers −32 ..< 32.
/// The product of a Q*i* and a Q*j* by ``doublingHighProduct(_:_:)`` is a Q*(i+j)*.
extension FixedPoint {
  /// `value × 2^exponent`: rounded as ``roundingShiftRight(_:_:)`` does for negative exponents, saturated
  /// for positive ones. `exponent` in −31…31.
  @inlinable @inline(__always)
  public static func saturatingShift(_ value: Int32, _ exponent: Int32) -> Int32 {
    if exponent <= 0 { return roundingShiftRight(value, -exponent) }
    let wide = Int64(value) << Int64(exponent)
    return Int32(clamping: wide)
  }

  /// `a + b` within 32 bits.
  @inlinable @inline(__always)
  public static func saturatingSum(_ a: Int32, _ b: Int32) -> Int32 {
    Int32(clamping: Int64(a) + Int64(b))
  }

  /// `(a + b) / 2`, halves away from zero.
  @inlinable @inline(__always)
  public static func roundingHalfSum(_ a: Int32, _ b: Int32) -> Int32 {
    let sum = Int64(a) + Int64(b)
    return Int32(truncatingIfNeeded: (sum + (sum >= 0 ? 1 : -1)) / 2)
  }

  /// `e^x` in Q0 for a Q0 `x` in −1/4 ..< 0, by the Taylor polynomial of degree 4 about −1/8.
  @inlinable @inline(__always)
  public static func expOfSmallNegative(_ a: Int32) -> Int32 {
    let expOfMinusEighth: Int32 = 1_895_147_668
    let third: Int32 = 715_827_883
    let x = a &+ (1 << 28)
    let x2 = doublingHighProduct(x, x)
    let x3 = doublingHighProduct(x2, x)
    let x4 = doublingHighProduct(x2, x2)
    let quarter = roundingShiftRight(x4, 2)
    let tail = roundingShiftRight(doublingHighProduct(quarter &+ x3, third) &+ x2, 1)
    return expOfMinusEighth &+ doublingHighProduct(expOfMinusEighth, x &+ tail)
  }

  /// `e^x` in Q0 for a Q5 `x` ≤ 0.
  @inlinable @inline(__always)
  public static func expOfNegativeQ5(_ x: Int32) -> Int32 {
    if x == 0 { return .max }
    let fractionBits: Int32 = 26
    let quarter: Int32 = 1 << (fractionBits - 2)
    let remainder = (x & (quarter - 1)) &- quarter
    var result = expOfSmallNegative(saturatingShift(remainder, 5))
    let whole = remainder &- x
    // e^(−2^k) in Q0 for the bits of weight 2^k.
    if whole & (1 << 24) != 0 { result = doublingHighProduct(result, 1_672_461_947) }
    if whole & (1 << 25) != 0 { result = doublingHighProduct(result, 1_302_514_674) }
    if whole & (1 << 26) != 0 { result = doublingHighProduct(result, 790_015_084) }
    if whole & (1 << 27) != 0 { result = doublingHighProduct(result, 290_630_308) }
    if whole & (1 << 28) != 0 { result = doublingHighProduct(result, 39_332_535) }
    if whole & (1 << 29) != 0 { result = doublingHighProduct(result, 720_401) }
    if whole & (1 << 30) != 0 { result = doublingHighProduct(result, 242) }
    return result
  }

  /// `1 / (1 + x)` in Q0 for a Q0 `x` ≥ 0, by three Newton steps.
  @inlinable @inline(__always)
  public static func reciprocalOfOnePlus(_ x: Int32) -> Int32 {
    let half = roundingHalfSum(x, .max)
    // 48/17 and −32/17 in Q2: the line that is closest to 1/d for d in 1/2…1.
    var estimate = 1_515_870_810 &+ doublingHighProduct(half, -1_010_580_540)
    for _ in 0..<3 {
      let error = (1 << 29) &- doublingHighProduct(half, estimate)
      estimate = estimate &+ saturatingShift(doublingHighProduct(estimate, error), 2)
    }
    return saturatingShift(estimate, 1)
  }

  /// The reciprocal of a positive number whose raw value has `integerDigits` digits before the point.
  /// - Returns: a Q0 number and the digits by which it must still be shifted to the right.
  @inlinable @inline(__always)
  public static func reciprocal(_ x: Int32, integerDigits: Int32) -> (scale: Int32, bitsOverUnit: Int32) {
    let headroom = Int32(x.leadingZeroBitCount)
    let normalised = UInt32(bitPattern: x) << UInt32(headroom)
    let overOne = Int32(truncatingIfNeeded: normalised &- (1 << 31))
    return (reciprocalOfOnePlus(overOne), integerDigits - headroom)
  }

  /// `1 / √input` as a multiplier and the right shift that goes with it, for `input` ≥ 0.
  @inlinable @inline(__always)
  public static func inverseSquareRoot(_ input: Int32) -> (multiplier: Int32, rightShift: Int32) {
    if input <= 1 { return (.max, 0) }
    var value = input
    var shift: Int32 = 11
    while value >= 1 << 29 {
      value /= 4
      shift += 1
    }
    let pairs = (Int32(value.leadingZeroBitCount) - 1) / 2 - 1
    shift -= pairs
    value <<= 2 * pairs
    let operand = value >> 1
    let half = roundingShiftRight(operand, 1)
    let threeHalves: Int32 = (1 << 28) + (1 << 27)
    var x: Int32 = 1 << 28
    for _ in 0..<5 {
      let cube = saturatingShift(doublingHighProduct(doublingHighProduct(x, x), x), 6)
      let step = doublingHighProduct(threeHalves, x) &- doublingHighProduct(half, cube)
      x = saturatingShift(step, 3)
    }
    x = doublingHighProduct(x, 1_518_500_250)
    if shift < 0 {
      x <<= -shift
      shift = 0
    }
    return (x, shift)
  }
}
