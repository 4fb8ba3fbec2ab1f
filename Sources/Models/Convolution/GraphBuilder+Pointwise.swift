import Graph
import TensorCore

extension GraphBuilder {
  /// A convolution by filters of 1 × 1 pixel: `weight` [outputs, width of x, 1, 1] and `bias` [outputs].
  /// - Parameter outputs: the filters that there must be; nil for as many as there are.
  mutating func pointwise(
    _ x: Value, _ weights: WeightPath, outputs: Int? = nil, _ activation: LayerActivation
  ) throws(ApusError) -> Value {
    let inputs = width(x)
    guard let outputs = outputs ?? weights.shape(of: "weight").map({ $0.first ?? 1 }) else {
      throw weights.missing("weight", "one of shape [filters, \(inputs), 1, 1]")
    }
    let stored = try float32(weights, "weight", [outputs, inputs, 1, 1])
    let filters = try reshape(
      stored, [outputs, 1, 1, inputs], at: weights.key("filters"))
    let bias = try float32(weights, "bias", [outputs])
    let convolution = Convolution2D(padding: .valid, activation: activation.clamp)
    let sums = try apply(convolution, [x, filters, bias], at: weights.prefix)
    return try activate(sums, activation.function, at: weights.key("activated"))
  }
}
