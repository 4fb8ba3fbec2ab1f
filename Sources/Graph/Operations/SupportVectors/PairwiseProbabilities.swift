import CLibrary
import TensorCore

/// Probabilities of classes from the scores of their pairs: operand 0, float32 [N, C · (C - 1) / 2], becomes [N, C].
///
/// By the second method of Wu, Lin and Weng, "Probability estimates for multi-class classification by pairwise coupling" (2004),
/// with the bounds of LIBSVM.
package struct PairwiseProbabilities: Operation {
  package let classes: Int
  /// Of each pair: 1 / (1 + e to the power of slope · score + offset) is the probability of the first of both.
  package let slopes: [Float]
  package let offsets: [Float]
  package var name: String { "pairwiseProbabilities" }

  package init(classes: Int, slopes: [Float], offsets: [Float]) {
    (self.classes, self.slopes, self.offsets) = (classes, slopes, offsets)
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let scores = try operands.input(0, "the scores", of: [.float32], rank: 2).shape
    let pairs = PairwiseVote.pairs(of: classes)
    guard classes >= 2, scores[1] == pairs, slopes.count == pairs, offsets.count == pairs else {
      throw ApusError(
        .malformedModel,
        "scores \(scores), \(slopes.count) slopes and \(offsets.count) offsets of \(classes) classes",
        expected: "one for each pair of them")
    }
    return [try TensorType(.float32, Shape([scores[0], classes])).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (coupling, classes, pairs) = (self, classes, slopes.count)
    let rows = context.result.shape[0]
    let grain = max(1, 20_000 / max(1, [classes, classes, 10].saturatingProduct))
    return Lowering("pairwise coupling") { arguments in
      guard let source = arguments.input(0, as: Float.self).baseAddress,
        let target = arguments.output(0, as: Float.self).baseAddress
      else { return }
      arguments.parallel(rows, grain: grain) { range in
        withUnsafeTemporaryAllocation(of: Double.self, capacity: classes * (classes + 2)) { memory in
          guard let base = memory.baseAddress else { return }
          for row in range {
            coupling.join(source + row * pairs, base, target + row * classes)
          }
        }
      }
    }
  }

  /// The least probability of a pair.
  private static let least = 1e-7

  private func join(
    _ scores: UnsafePointer<Float>, _ memory: UnsafeMutablePointer<Double>,
    _ target: UnsafeMutablePointer<Float>
  ) {
    let (count, matrix) = (classes, memory)
    let (shares, products) = (memory + count * count, memory + count * (count + 1))
    for index in 0..<count * count { matrix[index] = 0 }
    var pair = 0
    for first in 0..<count - 1 {
      for second in first + 1..<count {
        let power = Double(slopes[pair]) * Double(scores[pair]) + Double(offsets[pair])
        let share = min(max(1 / (1 + exp(power)), Self.least), 1 - Self.least)
        matrix[first * count + first] += (1 - share) * (1 - share)
        matrix[second * count + second] += share * share
        matrix[first * count + second] = -share * (1 - share)
        matrix[second * count + first] = -share * (1 - share)
        pair += 1
      }
    }
    for index in 0..<count { shares[index] = 1 / Double(count) }
    for _ in 0..<max(100, count) {
      var total = 0.0
      for row in 0..<count {
        products[row] = 0
        for column in 0..<count { products[row] += matrix[row * count + column] * shares[column] }
        total += shares[row] * products[row]
      }
      let isSettled = (0..<count).allSatisfy { abs(products[$0] - total) < 0.005 / Double(count) }
      if isSettled { break }
      for row in 0..<count {
        let step = (total - products[row]) / matrix[row * count + row]
        shares[row] += step
        total =
          (total + step * (step * matrix[row * count + row] + 2 * products[row])) / (1 + step) / (1 + step)
        for column in 0..<count {
          products[column] = (products[column] + step * matrix[row * count + column]) / (1 + step)
          shares[column] /= 1 + step
        }
      }
    }
    for index in 0..<count { target[index] = Float(shares[index]) }
  }
}
