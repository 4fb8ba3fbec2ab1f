import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// A batch of texts that is filled up gives the rows of the batch as it is.
@Suite struct RoundedBatchTests {
  @Test(
    arguments: [
      (1, 1, 4, 1), (4, 1, 4, 1), (5, 2, 8, 2), (127, 1, 128, 1), (128, 1, 128, 1), (129, 1, 136, 1),
      (257, 3, 272, 3), (512, 15, 512, 15), (513, 17, 544, 18), (40, 33, 40, 36), (65, 65, 72, 72),
    ])
  func sizes(_ tokens: Int, _ sequences: Int, _ wholeTokens: Int, _ wholeSequences: Int) throws {
    let ids = (0..<tokens).map { Int32($0) }
    let bounds = (0...sequences).map { Int32($0 * tokens / sequences) }
    let rows = bounds.dropLast()
    let inputs = try [ids, ids, bounds, Array(rows)].map { try Tensor($0, shape: .vector($0.count)) }
    let batch = try RoundedBatch(inputs)
    #expect(batch.tokens == wholeTokens && batch.sequences == wholeSequences)
    let filled = try batch.inputs.map { try $0.elements(of: Int32.self) }
    #expect(filled.map(\.count) == [wholeTokens, wholeTokens, wholeSequences + 1, wholeSequences])
    #expect(
      Array(filled[0].prefix(tokens)) == ids && filled[0].dropFirst(tokens).allSatisfy { $0 == ids.last })
    #expect(Array(filled[2].prefix(sequences + 1)) == bounds)
    #expect(filled[2].dropFirst(sequences + 1).allSatisfy { Int($0) == tokens })
    #expect(filled[3].allSatisfy { $0 >= 0 && $0 < tokens })
  }

  /// Texts with tokens that nothing attends are two segments each, and those that fill up are empty.
  @Test func segmentsInPairs() throws {
    let (texts, tokens) = (17, 35)
    let ids = [Int32](repeating: 1, count: tokens)
    let bounds = (0...(2 * texts)).map { Int32(($0 + 1) / 2 * 2) }
    let keys = (0...(2 * texts)).map { Int32(min(tokens, $0)) }
    let inputs = try [ids, ids, bounds, (0..<texts).map { Int32(2 * $0) }, keys].map {
      try Tensor($0, shape: .vector($0.count))
    }
    let batch = try RoundedBatch(inputs)
    #expect(batch.sequences == 18)
    let filled = try batch.inputs.map { try $0.elements(of: Int32.self) }
    #expect(filled.map(\.count) == [batch.tokens, batch.tokens, 37, 18, 37])
    for (whole, part) in [(filled[2], bounds), (filled[4], keys)] {
      #expect(Array(whole.prefix(part.count)) == part)
      #expect(whole.dropFirst(part.count).allSatisfy { $0 == part.last })
    }
  }

  /// No batch is filled up by more than a sixteenth, or three tokens, nor by more than an eighth of its texts.
  @Test func littleIsFilledUp() throws {
    for tokens in 1...1100 {
      for sequences in [1, 7, 16, 31, 32, 100, 500] where sequences <= tokens {
        let inputs = try [tokens, tokens, sequences + 1].map {
          try Tensor([Int32](repeating: 0, count: $0), shape: .vector($0))
        }
        let batch = try RoundedBatch(inputs)
        #expect(batch.sequences >= sequences && batch.sequences - sequences <= sequences / 8)
        let room = max(3, tokens / 16, batch.sequences - tokens)
        #expect(batch.tokens >= tokens && batch.tokens - tokens <= room, "\(tokens) \(sequences)")
        #expect(batch.tokens >= batch.sequences)
      }
    }
  }

  @Test(
    arguments: [
      "bert-sentence", "bert-classifier", "distilbert-classifier", "roberta-classifier", "mpnet",
      "mpnet-classifier", "electra", "electra-classifier", "albert", "albert-classifier", "modernbert",
      "modernbert-cls", "modernbert-classifier", "modernbert-reranker", "deberta",
      "deberta-classifier", "deberta-convolution", "clip",
    ],
    Precision.allCases.filter { $0.isAvailable })
  func rowsAreThoseOfTheBatch(_ name: String, _ precision: Precision) throws {
    let tower = try #require(try ModelArchitecture.load(ModelFixture(name).folder).text)
    var random = SeededRandom()
    for count in [1, 1, 1, 2, 3, 9, 17] {
      let rows = (0..<count).map { _ in
        TokenRow(
          (0..<Int.random(in: 1...min(tower.maximumTokens, 30), using: &random)).map { _ in
            Int32.random(in: 3..<20, using: &random)
          })
      }
      let inputs = try tower.inputs(rows)
      let batch = try RoundedBatch(inputs)
      let plain = try run(tower, inputs, inputs[0].shape.elementCount, count, precision)
      let filled = try run(tower, batch.inputs, batch.tokens, batch.sequences, precision)
      #expect(filled.count == batch.sequences * tower.outputWidth)
      #expect(Array(filled.prefix(plain.count)) == plain, "\(count) texts")
    }
  }

  private func run(
    _ tower: any TextTower, _ inputs: [Tensor], _ tokens: Int, _ sequences: Int, _ precision: Precision
  ) throws -> [Float] {
    var options = CompileOptions()
    options.precision = precision
    let graph = try tower.graph(tokens: tokens, sequences: sequences)
    return try Compiler.compile(graph, options).run(inputs)[0].elements(of: Float.self)
  }
}
