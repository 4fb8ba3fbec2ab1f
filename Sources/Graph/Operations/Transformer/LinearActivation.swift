import CIntrinsics

/// The function that ``Linear`` applies to its sums before it stores them, and float32 forms of ``Convolution2D`` too.
package enum LinearActivation: Hashable, Sendable {
  case none, relu, tanh
  case gelu(GeluForm)
  case swish, hardSwish

  /// The number by which kernels know the function; that of none for relu, which limits results.
  var kernelFunction: Int32 {
    switch self {
    case .none, .relu: APUS_IDENTITY
    case .tanh: APUS_TANH
    case .gelu(.exact): APUS_GELU_EXACT
    case .gelu(.tanh): APUS_GELU_TANH
    case .gelu(.sigmoid): APUS_GELU_SIGMOID
    case .swish: APUS_SWISH
    case .hardSwish: APUS_HARD_SWISH
    }
  }
}
