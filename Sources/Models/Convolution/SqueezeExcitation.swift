import Graph
import TensorCore

/// Scales each channel by what two layers make of the means of all channels (Hu et al. 2018, "Squeeze-and-Excitation
/// Networks").
struct SqueezeExcitation: Sendable {
  /// The function that gives the factors, from 0 to 1.
  enum Gate: Sendable {
    case sigmoid
    /// clamp(x + 3, 0, 6) / 6 (Howard et al. 2019, "Searching for MobileNetV3").
    case hardSigmoid
  }

  /// What the two layers are called in a library's files.
  let reduction: String
  let expansion: String
  /// Behind the first layer.
  let activation: Activation
  let gate: Gate

  /// The channels of `x`, scaled.
  func gated(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let mean = Reduce(.mean, axes: [1, 2], keepDimensions: true)
    var factors = try graph.apply(mean, [x], at: "\(reduction) means")
    factors = try graph.pointwise(factors, weights[reduction], activation)
    // Another width would be broadcast.
    factors = try graph.pointwise(factors, weights[expansion], outputs: graph.width(x), .none)
    switch gate {
    case .sigmoid: factors = try graph.apply(Logistic(), [factors], at: "\(expansion) gate")
    case .hardSigmoid: factors = try hardSigmoid(factors, in: &graph)
    }
    return try graph.apply(Multiply(), [x, factors], at: "\(expansion), scaled")
  }

  /// As files of TensorFlow Lite spell it.
  private func hardSigmoid(
    _ x: Value, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let offset = graph.constant("\(expansion) gate offset", try Tensor([Float(3)], shape: .vector(1)))
    let scale = graph.constant("\(expansion) gate scale", try Tensor([Float(1) / 6], shape: .vector(1)))
    let clamped = try graph.apply(Add(activation: .relu6), [x, offset], at: "\(expansion) gate, clamped")
    return try graph.apply(Multiply(), [clamped, scale], at: "\(expansion) gate")
  }
}
