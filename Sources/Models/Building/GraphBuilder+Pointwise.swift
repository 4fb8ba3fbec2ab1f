import Graph
import TensorCore

extension GraphBuilder {
  /// A convolution by filters of 1 × 1 pixel: `weight` [outputs, width of x, 1, 1] and `bias` [outputs].
  /// - Parameter outputs: the filters that there must be; nil for as many as there are.
  mutating func pointwise(
    _ x: Value, _ weights: WeightPath, outputs: Int? = nil, _ activation: Activation
  ) throws(ApusError) -> Value {
    let inputs = width(x)
    guard let outputs = outputs ?? weights.shape(of: "weight").map({ $0.first ?? 1 }) else {
      throw weights.missing("weight", "one of shape [filters, \(inputs), 1, 1]")
    }
    let stored = try weights.weight("weight", [outputs, inputs, 1, 1])
    // The numbers in the order in which they are stored; to reshape them in the graph would count as folding.
    let type = TensorType(.float32, try Shape([outputs, 1, 1, inputs]))
    let numbers =
      stored.tensor.dataType == .float32
      ? try stored.tensor.reinterpreted(as: type)
      : try Tensor(stored.tensor.realNumbers(), shape: type.shape)
    let filters = constant(weights.key("weight"), numbers, source: stored.source)
    let bias = try float32(weights, "bias", [outputs])
    let convolution = Convolution2D(padding: .valid, activation: activation.clamp)
    let sums = try apply(convolution, [x, filters, bias], at: weights.prefix)
    return try activate(sums, activation.function, at: weights.key("activated"))
  }
}
