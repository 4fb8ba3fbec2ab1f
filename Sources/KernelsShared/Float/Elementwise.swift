import CIntrinsics

/// `y[i] = f(x[i])` for `count` float32, which may be the same memory.
/// - Parameter function: says what f is, by a number of `KernelArguments.h`.
@inline(never)
func mapFloat32(
  _ function: Int32, _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int
) {
  switch function {
  case APUS_EXP: forEachVector(x, y, count) { vectorExp($0) }
  case APUS_SIGMOID: forEachVector(x, y, count) { vectorSigmoid($0) }
  case APUS_TANH: forEachVector(x, y, count) { vectorTanh($0) }
  case APUS_GELU_EXACT: forEachVector(x, y, count) { vectorGeluExact($0) }
  case APUS_GELU_TANH: forEachVector(x, y, count) { vectorGeluTanh($0) }
  case APUS_GELU_SIGMOID: forEachVector(x, y, count) { vectorGeluSigmoid($0) }
  case APUS_HARD_SWISH: forEachVector(x, y, count) { vectorHardSwish($0) }
  case APUS_SWISH: forEachVector(x, y, count) { vectorSwish($0) }
  default: forEachVector(x, y, count) { $0 }
  }
}
