import Graph

/// What a convolutional layer does to its sums.
enum LayerActivation: Sendable {
  case none, relu, relu6, swish, hardSwish

  /// What the convolution does itself.
  var clamp: FusedActivation {
    switch self {
    case .relu: .relu
    case .relu6: .relu6
    case .none, .swish, .hardSwish: .none
    }
  }

  /// What is done behind the convolution.
  var function: LinearActivation {
    switch self {
    case .swish: .swish
    case .hardSwish: .hardSwish
    case .none, .relu, .relu6: .none
    }
  }
}
