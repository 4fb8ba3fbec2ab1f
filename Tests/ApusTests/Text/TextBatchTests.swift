import TestSupport
import Testing

@testable import Apus

/// Batches hold every sequence once and keep to the budget.
@Suite struct TextBatchTests {
  @Test func everySequenceIsInOneBatchWithinTheBudget() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<100 {
      let lengths = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
        Int.random(in: 1...300, using: &random)
      }
      let batches = Array(TextBatches(lengths: lengths, budget: 256))
      #expect(batches.flatMap(\.self).sorted() == Array(lengths.indices))
      for batch in batches {
        #expect(batch.count == 1 || batch.reduce(0) { $0 + lengths[$1] } <= 256)
      }
    }
  }

  @Test func likeLengthsComeTogether() {
    #expect(Array(TextBatches(lengths: [9, 1, 9, 1], budget: 18)) == [[1, 3, 0], [2]])
    #expect(Array(TextBatches(lengths: [9, 1, 9, 1], budget: 10)) == [[1, 3], [0], [2]])
  }
}
