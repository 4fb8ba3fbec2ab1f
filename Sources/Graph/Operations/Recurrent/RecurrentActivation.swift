import CLibrary

/// A function of one number in a recurrent layer.
package enum RecurrentActivation: Hashable, Sendable {
  case sigmoid
  case tanh
  case relu
  /// `alpha · x + beta`.
  case affine(alpha: Float, beta: Float)
  /// `alpha · x` below 0.
  case leakyRelu(alpha: Float)
  /// 0 below alpha.
  case thresholdedRelu(alpha: Float)
  /// `alpha · tanh(beta · x)`.
  case scaledTanh(alpha: Float, beta: Float)
  /// `alpha · x + beta` between 0 and 1.
  case hardSigmoid(alpha: Float, beta: Float)
  /// `alpha · (eˣ − 1)` below 0.
  case elu(alpha: Float)
  case softsign
  case softplus

  @inline(__always)
  func callAsFunction(_ x: Float) -> Float {
    switch self {
    case .sigmoid: 1 / (1 + Glibc.expf(-x))
    case .tanh: Glibc.tanhf(x)
    case .relu: max(x, 0)
    case .affine(let alpha, let beta): alpha * x + beta
    case .leakyRelu(let alpha): x < 0 ? alpha * x : x
    case .thresholdedRelu(let alpha): x > alpha ? x : 0
    case .scaledTanh(let alpha, let beta): alpha * Glibc.tanhf(beta * x)
    case .hardSigmoid(let alpha, let beta): min(max(alpha * x + beta, 0), 1)
    case .elu(let alpha): x < 0 ? alpha * Glibc.expm1f(x) : x
    case .softsign: x / (1 + abs(x))
    case .softplus: max(x, 0) + Glibc.log1pf(Glibc.expf(-abs(x)))
    }
  }
}
