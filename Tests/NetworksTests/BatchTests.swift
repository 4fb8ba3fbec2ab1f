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

  @Test(arguments: 1...5) func batchesRunTogetherGiveWhatTheyGiveAlone(threads: Int) throws {
    let sequences = (0..<97).map { [Int](repeating: $0, count: $0 % 7 + 1) }
    let batches = Batches(sequences, budget: 12, size: \.count)
    let sums = { (batch: [[Int]]) in batch.map { $0.reduce(0, +) } }
    #expect(try batches.concurrentMap(threads: threads, sums).inOrder() == batches.map(sums).inOrder())
    let none = Batches([[Int]](), budget: 12, size: \.count)
    #expect(try none.concurrentMap(threads: threads, sums).inOrder().isEmpty)
    #expect(throws: ApusError.self) {
      try batches.concurrentMap(threads: threads) { (batch) throws(ApusError) -> [Int] in
        guard !batch.contains([41, 41, 41, 41, 41, 41, 41]) else { throw ApusError(.argument, "forty-one") }
        return sums(batch)
      }
    }
  }
}
