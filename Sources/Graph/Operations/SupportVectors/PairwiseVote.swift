import TensorCore

/// The class that most pairs speak for, of equal ones the first: operand 0, float32 [N, C · (C - 1) / 2], where a score over 0
/// speaks for the first of two, becomes int64 [N].
package struct PairwiseVote: Operation {
  package let classes: Int
  package var name: String { "pairwiseVote" }

  package init(classes: Int) { self.classes = classes }

  /// How many pairs there are of as many classes.
  package static func pairs(of classes: Int) -> Int { [classes, max(classes - 1, 0)].saturatingProduct / 2 }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let scores = try operands.input(0, "the scores", of: [.float32], rank: 2).shape
    guard classes >= 2, scores[1] == Self.pairs(of: classes) else {
      throw ApusError(
        .malformedModel, "scores \(scores) of \(classes) classes", expected: "one for each pair of them")
    }
    return [TensorType(.int64, try Shape([scores[0]]))]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let (classes, pairs) = (classes, Self.pairs(of: classes))
    let rows = context.result.shape[0]
    return Lowering("pairwise vote") { arguments in
      guard let source = arguments.input(0, as: Float.self).baseAddress,
        let target = arguments.output(0, as: Int64.self).baseAddress
      else { return }
      arguments.parallel(rows, grain: max(1, 20_000 / pairs)) { range in
        withUnsafeTemporaryAllocation(of: Int.self, capacity: classes) { votes in
          for row in range {
            votes.initialize(repeating: 0)
            var pair = row * pairs
            for first in 0..<classes - 1 {
              for second in first + 1..<classes {
                votes[source[pair] > 0 ? first : second] += 1
                pair += 1
              }
            }
            var best = 0
            for index in 1..<classes where votes[index] > votes[best] { best = index }
            target[row] = Int64(best)
          }
        }
      }
    }
  }
}
