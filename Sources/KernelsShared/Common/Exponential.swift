import CIntrinsics

/// Added and taken away again, it leaves the nearest whole number of anything below 2²².
private let roundingShift: Float = 0x1.8p23

/// `eˣ` for every x, subnormal results included; 0 and +∞ beyond. At most 1.04 units in the last place from the
/// true value, over all float32.
@inline(__always)
func vectorExp(_ x: FloatVector) -> FloatVector {
  // e⁸⁹ is beyond the greatest number, e⁻¹⁰⁴ below half of the least.
  let x = apus_clamp_f32(x, FloatVector(repeating: -104), FloatVector(repeating: 89))
  let (n, less) = reducedExponential(x)
  return apus_scale_f32(less + FloatVector(repeating: 1), n)
}

/// The whole number n and `eʳ − 1` with `x = n·ln 2 + r` and |r| ≤ ½·ln 2, so that `eˣ = 2ⁿ·eʳ`; |x| < 2²⁰.
///
/// `eʳ − 1 = r + r²·p(r)` by a minimax polynomial of relative error 3.2·10⁻⁹. `ln 2` is split in two, the
/// first part short enough for an exact product with n.
@inline(__always)
func reducedExponential(_ x: FloatVector) -> (n: FloatVector, less: FloatVector) {
  let shift = FloatVector(repeating: roundingShift)
  let n = apus_fma(shift, x, FloatVector(repeating: 1.442695)) - shift
  var r = apus_fma(x, n, FloatVector(repeating: -0.693359375))
  r = apus_fma(r, n, FloatVector(repeating: 2.12194440e-4))
  // Pairs of terms, because a chain of additions would keep the processor waiting.
  let square = r * r
  let high = apus_fma(
    apus_fma(FloatVector(repeating: 0x1.555858p-5), r, FloatVector(repeating: 0x1.123da8p-7)), square,
    FloatVector(repeating: 0x1.6ac174p-10))
  let low = apus_fma(FloatVector(repeating: 0x1.fffffcp-2), r, FloatVector(repeating: 0x1.55548cp-3))
  return (n, apus_fma(r, square, apus_fma(low, square, high)))
}

/// `2ˣ` for every x, subnormal results included; 0 and +∞ beyond.
///
/// `x = n + r` with |r| ≤ ½, and `2ʳ = 1 + r·p(r)` by a minimax polynomial of relative error 1.3·10⁻⁸. Cheaper
/// than ``vectorExp(_:)`` where a factor log₂ e can be folded into one that is there already.
@inline(__always)
func vectorExp2(_ x: FloatVector) -> FloatVector {
  let x = apus_clamp_f32(x, FloatVector(repeating: -151), FloatVector(repeating: 129))
  let shift = FloatVector(repeating: roundingShift)
  let n = (x + shift) - shift
  let r = x - n
  let square = r * r
  let high = apus_fma(FloatVector(repeating: 0x1.5ef4e0p-10), r, FloatVector(repeating: 0x1.179a86p-13))
  let middle = apus_fma(FloatVector(repeating: 0x1.c6af9ep-5), r, FloatVector(repeating: 0x1.3b6816p-7))
  let low = apus_fma(FloatVector(repeating: 0x1.62e430p-1), r, FloatVector(repeating: 0x1.ebfb94p-3))
  let p = apus_fma(low, square, apus_fma(middle, square, high))
  return apus_scale_f32(apus_fma(FloatVector(repeating: 1), p, r), n)
}
