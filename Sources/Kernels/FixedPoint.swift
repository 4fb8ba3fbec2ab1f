import CLibrary

/// A positive real factor as TFLite's integer kernels apply it: a 31-bit multiplier and a power of two.
///
/// `real = multiplier / 2³¹ × 2^shift` with multiplier in 2³⁰ ..< 2³¹ (or 0). The product rounds twice, as
/// TFLite's reference kernels do: once to the nearest integer at the scale of the multiplier, halves
/// upward, then at the power of two, halves away from zero. Public for the reason that ``FixedPoint`` states.
public struct FixedPointMultiplier: Hashable, Sendable {
  public let multiplier: Int32
  /// Positive: to the left.
  public let shift: Int32

  public init(multiplier: Int32, shift: Int32) {
    self.multiplier = multiplier
    self.shift = shift
  }

  /// The multiplier nearest to `real`, by TFLite's `QuantizeMultiplier`: factors below 2⁻³² become 0, those
  /// over 2³⁰ the largest there is.
  package init(_ real: Double) {
    guard real.isFinite, real > 0 else {
      self.init(multiplier: 0, shift: 0)
      return
    }
    let (fraction, exponent) = CLibrary.frexp(real)
    var fixed = Int64((fraction * Double(1 << 31)).rounded(.toNearestOrAwayFromZero))
    var shift = exponent
    if fixed == 1 << 31 {
      fixed /= 2
      shift += 1
    }
    if shift < -31 {
      shift = 0
      fixed = 0
    }
    if shift > 30 {
      shift = 30
      fixed = (1 << 31) - 1
    }
    self.init(multiplier: Int32(truncatingIfNeeded: fixed), shift: Int32(shift))
  }

  /// What it stands for.
  package var real: Double { CLibrary.ldexp(Double(multiplier), shift - 31) }

  /// `value × real`, rounded. A left shift wraps as two's complement does.
  @inlinable @inline(__always)
  public func apply(_ value: Int32) -> Int32 {
    let left = value &<< max(shift, 0)
    // No multiplier is −2³¹, so that nothing can saturate.
    let product = Int32(truncatingIfNeeded: (Int64(left) &* Int64(multiplier) &+ (1 << 30)) >> 31)
    return FixedPoint.roundingShiftRight(product, max(-shift, 0))
  }
}

extension FixedPointMultiplier {
  /// How often a product by a fixed-point factor is rounded.
  package enum Rounding: Sendable {
    /// At the multiplier's scale, halves upward, then at the shift's, halves away from zero: TFLite's rule
    /// for most kernels.
    case twice
    /// Once, halves upward: the rule of its fully connected layers.
    case once
  }

  /// `value × real` rounded once, halves upward.
  @inlinable @inline(__always)
  public func applyOnce(_ value: Int64) -> Int32 {
    let total = 31 &- Int64(shift)
    return Int32(truncatingIfNeeded: (value &* Int64(multiplier) &+ (1 << (total &- 1))) >> total)
  }
}

/// The integer arithmetic that TFLite's quantized kernels are defined in.
///
/// Public, although no promise to users, because the compiler inlines only public functions into another
/// module, and these stand in the innermost loops.
public enum FixedPoint {
  /// The high half of `2ab`, rounded to nearest with halves upward; saturates for (−2³¹)².
  @inlinable @inline(__always)
  public static func doublingHighProduct(_ a: Int32, _ b: Int32) -> Int32 {
    if a == .min, b == .min { return .max }
    return Int32(truncatingIfNeeded: (Int64(a) &* Int64(b) &+ (1 << 30)) >> 31)
  }

  /// `value / 2^exponent`, rounded to nearest with halves away from zero. `exponent` in 0…31.
  @inlinable @inline(__always)
  public static func roundingShiftRight(_ value: Int32, _ exponent: Int32) -> Int32 {
    let mask = Int32(truncatingIfNeeded: (Int64(1) &<< Int64(exponent)) &- 1)
    // The sign bits stand for conditions: data-dependent branches would be mispredicted half of the time.
    let threshold = (mask &>> 1) &- (value &>> 31)
    return (value &>> exponent) &- ((threshold &- (value & mask)) &>> 31)
  }
}
