import TensorCore

/// Scores of each pair of classes: operand 0, float32 [N, V], how alike rows are to the support vectors of the classes, one class
/// behind the other, becomes [N, C · (C - 1) / 2]. A score over 0 speaks for the first of two. Sums are of double precision.
package struct PairScores: Operation {
  /// Where the vectors of each class begin, and where the last end.
  package let starts: [Int]
  /// A row of coefficients of all vectors for each class but one: for those behind a vector's own, one row further up.
  package let coefficients: [Float]
  /// A number to begin with for each pair.
  package let offsets: [Float]
  package var name: String { "pairScores" }

  package init(starts: [Int], coefficients: [Float], offsets: [Float]) {
    (self.starts, self.coefficients, self.offsets) = (starts, coefficients, offsets)
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let rows = try operands.input(0, "the kernels", of: [.float32], rank: 2).shape
    let classes = starts.count - 1
    guard classes >= 2, zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 }), starts[0] == 0,
      starts[classes] == rows[1], coefficients.count == [classes - 1, rows[1]].saturatingProduct,
      offsets.count == PairwiseVote.pairs(of: classes)
    else {
      throw ApusError(
        .malformedModel,
        "\(classes) classes, \(coefficients.count) coefficients of \(rows[1]) vectors, \(offsets.count) offsets",
        expected: "a row of coefficients for each class but one, and an offset for each pair")
    }
    return [try TensorType(.float32, Shape([rows[0], offsets.count])).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (vectors, rows) = (try context.operands.input(0).shape[1], context.result.shape[0])
    let (scores, pairs) = (self, offsets.count)
    let grain = max(1, 20_000 / max(1, [vectors, starts.count].saturatingProduct))
    return Lowering("pair scores") { arguments in
      guard let source = arguments.input(0, as: Float.self).baseAddress,
        let target = arguments.output(0, as: Float.self).baseAddress
      else { return }
      arguments.parallel(rows, grain: grain) { range in
        for row in range { scores.add(source + row * vectors, vectors, to: target + row * pairs) }
      }
    }
  }

  private func add(_ kernels: UnsafePointer<Float>, _ vectors: Int, to target: UnsafeMutablePointer<Float>) {
    let classes = starts.count - 1
    var pair = 0
    for first in 0..<classes - 1 {
      for second in first + 1..<classes {
        var sum = 0.0
        for vector in starts[first]..<starts[first + 1] {
          sum += Double(coefficients[(second - 1) * vectors + vector]) * Double(kernels[vector])
        }
        for vector in starts[second]..<starts[second + 1] {
          sum += Double(coefficients[first * vectors + vector]) * Double(kernels[vector])
        }
        target[pair] = Float(sum + Double(offsets[pair]))
        pair += 1
      }
    }
  }
}
