import CIntrinsics

/// `y[i] = f(x[i])` for `count` float32, which may be the same memory.
/// - Parameter function: says what f is, by a number of `KernelArguments.h`.
@inline(never)
package func mapFloat32(
  _ function: Int32, _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int
) {
  switch function {
  case APUS_EXP: forEachVector(x, y, count) { vectorExp($0) }
  case APUS_SIGMOID: forEachVector(x, y, count) { vectorSigmoid($0) }
  case APUS_TANH: forEachVector(x, y, count) { vectorTanh($0) }
  case APUS_GELU_EXACT: forEachVector(x, y, count) { vectorGeluExact($0) }
  case APUS_GELU_TANH: forEachVector(x, y, count) { vectorGeluTanh($0) }
  case APUS_GELU_SIGMOID: forEachVector(x, y, count) { vectorGeluSigmoid($0) }
  default: forEachVector(x, y, count) { $0 }
  }
}

/// Applies `function` to each vector; the last, incomplete one is computed like the others.
@inline(__always)
func forEachVector(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int,
  _ function: (FloatVector) -> FloatVector
) {
  var index = 0
  while index &+ lanes <= count {
    let result = function(x.vector(index &* 4))
    y.storeBytes(of: result, toByteOffset: index &* 4, as: FloatVector.self)
    index &+= lanes
  }
  let rest = count &- index
  if rest > 0 {
    apus_store_part_f32(y + index &* 4, function(apus_load_part_f32(x + index &* 4, rest)), rest)
  }
}
