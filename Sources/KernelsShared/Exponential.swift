import CIntrinsics

/// Added and taken away again, it leaves the nearest whole number of anything below 2²².
private let roundingShift: Float = 0x1.8p23

/// `eˣ` for every x: within 1 unit in the last place, subnormal results included; 0 and +∞ beyond.
///
/// `x = n·ln 2 + r` with |r| ≤ ½·ln 2, and `eʳ = 1 + r + r²·p(r)` by a minimax polynomial of relative error
/// 3.2·10⁻⁹. `ln 2` is split in two, the first part short enough for an exact product with n.
@inline(__always)
func vectorExp(_ x: FloatVector) -> FloatVector {
  // e⁸⁹ is beyond the greatest number, e⁻¹⁰⁴ below half of the least.
  let x = apus_clamp_f32(x, FloatVector(repeating: -104), FloatVector(repeating: 89))
  let shift = FloatVector(repeating: roundingShift)
  let n = apus_fma(shift, x, FloatVector(repeating: 1.442695)) - shift
  var r = apus_fma(x, n, FloatVector(repeating: -0.693359375))
  r = apus_fma(r, n, FloatVector(repeating: 2.12194440e-4))
  var p = FloatVector(repeating: 0x1.6ac174p-10)
  p = apus_fma(FloatVector(repeating: 0x1.123da8p-7), p, r)
  p = apus_fma(FloatVector(repeating: 0x1.555858p-5), p, r)
  p = apus_fma(FloatVector(repeating: 0x1.55548cp-3), p, r)
  p = apus_fma(FloatVector(repeating: 0x1.fffffcp-2), p, r)
  let power = apus_fma(r, r * r, p) + FloatVector(repeating: 1)
  return apus_scale_f32(power, n)
}

/// `2ˣ` for every x: within 1 unit in the last place, subnormal results included; 0 and +∞ beyond.
///
/// `x = n + r` with |r| ≤ ½, and `2ʳ = 1 + r·p(r)` by a minimax polynomial of relative error 1.3·10⁻⁸. Cheaper
/// than ``vectorExp(_:)`` where a factor log₂ e can be folded into one that is there already.
@inline(__always)
func vectorExp2(_ x: FloatVector) -> FloatVector {
  let x = apus_clamp_f32(x, FloatVector(repeating: -151), FloatVector(repeating: 129))
  let shift = FloatVector(repeating: roundingShift)
  let n = (x + shift) - shift
  let r = x - n
  var p = FloatVector(repeating: 0x1.179a86p-13)
  p = apus_fma(FloatVector(repeating: 0x1.5ef4e0p-10), p, r)
  p = apus_fma(FloatVector(repeating: 0x1.3b6816p-7), p, r)
  p = apus_fma(FloatVector(repeating: 0x1.c6af9ep-5), p, r)
  p = apus_fma(FloatVector(repeating: 0x1.ebfb94p-3), p, r)
  p = apus_fma(FloatVector(repeating: 0x1.62e430p-1), p, r)
  return apus_scale_f32(apus_fma(FloatVector(repeating: 1), p, r), n)
}
