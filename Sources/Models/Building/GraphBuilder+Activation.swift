import Graph
import TensorCore

extension GraphBuilder {
  /// A function of each number; compiling joins it with the convolution or linear layer before it.
  mutating func activate(
    _ x: Value, _ activation: Activation, at place: String
  ) throws(ApusError) -> Value {
    switch activation {
    case .none: x
    case .relu: try apply(Relu(.relu), [x], at: place)
    case .reluN1To1: try apply(Relu(.reluN1To1), [x], at: place)
    case .relu6: try apply(Relu(.relu6), [x], at: place)
    case .tanh: try apply(Tanh(), [x], at: place)
    case .gelu(let form): try apply(Gelu(form), [x], at: place)
    case .swish: try apply(Swish(), [x], at: place)
    case .hardSwish: try apply(HardSwish(), [x], at: place)
    }
  }
}
