import Graph
import TensorCore

/// A normalisation of each row of features.
struct Norm: Sendable {
  enum Kind: Sendable {
    /// Less its mean, over its standard deviation, scaled and shifted (Ba, Kiros and Hinton 2016).
    case layer
    /// The same without the shift.
    case layerWithoutOffset
  }

  let kind: Kind
  let epsilon: Float

  init(_ kind: Kind, _ epsilon: Float) { (self.kind, self.epsilon) = (kind, epsilon) }

  func callAsFunction(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let factors = try graph.normFactors(weights, width: graph.width(x), hasOffset: kind == .layer)
    return try graph.apply(
      LayerNormalization(epsilon: epsilon), [x, factors.scale, factors.offset], at: weights.prefix)
  }
}

extension GraphBuilder {
  /// Layer normalisation with its ``normFactors(_:width:hasOffset:)``.
  mutating func layerNorm(
    _ x: Value, _ weights: WeightPath, epsilon: Float
  ) throws(ApusError) -> Value {
    try Norm(.layer, epsilon)(x, weights, in: &self)
  }

  /// What a layer normalisation multiplies its features with and adds to them, each [width]: `weight` and, if there is one,
  /// `bias`, or those of the first BERTs, `LayerNorm.gamma` and `LayerNorm.beta`.
  mutating func normFactors(
    _ weights: WeightPath, width: Int, hasOffset: Bool = true
  ) throws(ApusError) -> (scale: Value, offset: Value) {
    func name(_ name: String, _ older: String) -> String {
      weights.prefix.hasSuffix("LayerNorm") && !weights.contains(name) && weights.contains(older)
        ? older : name
    }
    let scale = constant(try weights.weight(name("weight", "gamma"), [width]))
    let offset =
      hasOffset
      ? constant(try weights.weight(name("bias", "beta"), [width]))
      : constant(
        weights.key("no bias"), try Tensor([Float](repeating: 0, count: width), shape: .vector(width)))
    return (scale, offset)
  }
}
