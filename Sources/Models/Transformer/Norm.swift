import Graph
import TensorCore

/// A normalisation of each row of features.
struct Norm: Sendable {
  enum Kind: Sendable {
    /// Less its mean, over its standard deviation, scaled and shifted (Ba, Kiros and Hinton 2016).
    case layer
    /// The same without the shift.
    case layerWithoutOffset
    /// Over the root of the mean of its squares, scaled (Zhang and Sennrich 2019): by the stored factors and a number that
    /// is added to them, 1 in Gemma.
    case rms(plus: Float = 0)
  }

  let kind: Kind
  let epsilon: Float

  init(_ kind: Kind, _ epsilon: Float) { (self.kind, self.epsilon) = (kind, epsilon) }

  func callAsFunction(
    _ x: Value, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let operands = try [x] + factors(weights, width: graph.width(x), in: &graph)
    if case .rms = kind {
      return try graph.apply(RMSNormalization(epsilon: epsilon), operands, at: weights.prefix)
    }
    return try graph.apply(LayerNormalization(epsilon: epsilon), operands, at: weights.prefix)
  }

  /// Each of some heads of all rows normalised by itself, with the same factors: float32 [rows, heads · headWidth].
  /// - Parameter offset: the first column of the first head.
  func ofHeads(
    _ x: Value, _ weights: WeightPath, heads: Int, headWidth: Int, offset: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    var form = HeadNormalization.Kind.layer
    if case .rms = kind { form = .rootMeanSquare }
    return try graph.apply(
      HeadNormalization(form, heads: heads, epsilon: epsilon, offset: offset),
      [x] + factors(weights, width: headWidth, in: &graph), at: weights.prefix)
  }

  /// The scale and, of a layer normalisation, the offset, each [width].
  private func factors(
    _ weights: WeightPath, width: Int, in graph: inout GraphBuilder
  ) throws(ApusError) -> [Value] {
    switch kind {
    case .layer, .layerWithoutOffset:
      let hasOffset = if case .layer = kind { true } else { false }
      let factors = try graph.normFactors(weights, width: width, hasOffset: hasOffset)
      return [factors.scale, factors.offset]
    case .rms(plus: 0): return [graph.constant(try weights.weight("weight", [width]))]
    case .rms(let number):
      let stored = try graph.float32(weights, "weight", [width])
      let added = graph.constant("\(number)", try Tensor([number], shape: .vector(1)))
      return [try graph.sum(stored, added, at: weights.key("scale"))]
    }
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
