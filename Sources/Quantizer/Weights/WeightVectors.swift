/// Weights that have a scale in common as vectors, zeros behind their end.
struct WeightVectors {
  private typealias Vector = SIMD16<Float>
  private var weights: [Vector] = []
  private var importance: [Vector] = []
  private let range: ClosedRange<Float>
  /// `Σ hₖwₖ²`
  private(set) var signal = 0.0

  /// - Parameters:
  ///   - importance: `hₖ`, as many as weights; nil when all count alike.
  ///   - range: the integers that weights are brought to.
  init(
    _ values: UnsafeBufferPointer<Float>, _ importance: UnsafeBufferPointer<Float>? = nil,
    range: ClosedRange<Float>
  ) {
    self.range = range
    weights = Self.vectors(values)
    if let importance, importance.count == values.count { self.importance = Self.vectors(importance) }
    var sums = SIMD16<Double>()
    for (index, vector) in weights.enumerated() {
      sums += SIMD16<Double>(
        vector * vector * (self.importance.isEmpty ? Vector(repeating: 1) : self.importance[index]))
    }
    signal = sums.sum()
  }

  private static func vectors(_ values: UnsafeBufferPointer<Float>) -> [Vector] {
    var result = [Vector](repeating: Vector(), count: (values.count + 15) / 16)
    for (index, value) in values.enumerated() { result[index / 16][index % 16] = value }
    return result
  }

  /// `Σ hₖ(wₖ − s·qₖ)²`
  func noise(_ scale: Float) -> Double {
    let inverse = 1 / scale
    let (low, high) = (Vector(repeating: range.lowerBound), Vector(repeating: range.upperBound))
    let magic = Vector(repeating: 12_582_912)
    var sums = Vector()
    for (index, vector) in weights.enumerated() {
      let steps = pointwiseMax(low, pointwiseMin(high, vector * inverse))
      let difference = vector - ((steps + magic) - magic) * scale
      sums += importance.isEmpty ? difference * difference : difference * difference * importance[index]
    }
    return SIMD16<Double>(sums).sum()
  }
}
