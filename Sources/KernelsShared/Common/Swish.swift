import CIntrinsics

/// x × its sigmoid.
@inline(__always)
func vectorSwish(_ x: FloatVector) -> FloatVector { x * vectorSigmoid(x) }

/// x × clamp(x + 3, 0, 6) ÷ 6.
@inline(__always)
func vectorHardSwish(_ x: FloatVector) -> FloatVector {
  let gate = apus_clamp_f32(x + FloatVector(repeating: 3), FloatVector(), FloatVector(repeating: 6))
  return x * gate / FloatVector(repeating: 6)
}
