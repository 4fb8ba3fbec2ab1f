import Networks
import TensorCore
import TestSupport
import Testing

/// Batches hold every sequence once, keep to the budget, and give results back in the sequences' order.
@Suite struct BatchTests {
  @Test func everySequenceIsInOneBatchWithinTheBudget() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<100 {
      let sequences = (0..<Int.random(in: 0..<200, using: &random)).map { index in
        [Int](repeating: index, count: Int.random(in: 1...300, using: &random))
      }
      let batches = Batches(sequences, budget: 256, size: \.count)
      for batch in batches.contents {
        #expect(batch.count == 1 || batch.reduce(0) { $0 + $1.count } <= 256)
      }
      #expect(try batches.inOrder() == sequences)
      #expect(try batches.map { $0.map(\.count) }.inOrder() == sequences.map(\.count))
    }
  }

  @Test func likeLengthsComeTogether() {
    let batches = { (lengths: [Int], budget: Int) in
      Batches(lengths.map { [Int](repeating: 0, count: $0) }, budget: budget, size: \.count).contents.map {
        $0.map(\.count)
      }
    }
    #expect(batches([9, 1, 9, 1], 19) == [[1, 1, 9], [9]])
    #expect(batches([9, 1, 9, 1], 10) == [[1, 1], [9], [9]])
  }

  @Test func aRowTooFewIsAnError() throws {
    let batches = Batches([[1], [2, 3]], budget: 1, size: \.count)
    #expect(throws: ApusError.self) { try batches.map { _ in [Int]() }.inOrder() }
  }
}
