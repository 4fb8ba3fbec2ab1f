import Formats
import TensorCore
import Testing

@testable import Models

/// Networks give PyTorch's numbers for pairs of texts, whose tokens may have types.
struct TextPairTests {
  static let names = [
    "bert-classifier", "bert-reranker", "distilbert-classifier", "roberta-classifier",
    "xlm-roberta-classifier", "mpnet-classifier", "electra-classifier", "albert-classifier",
    "modernbert-classifier", "modernbert-reranker", "deberta-classifier", "deberta-convolution",
    "qwen3-classifier", "qwen3-reranker", "camembert-classifier",
  ]

  private func pairs(_ name: String) throws -> (fixture: ModelFixture, tower: any TextTower, rows: [TokenRow])
  {
    let fixture = try ModelFixture(name, "pairs.json")
    let tower = try #require(try ModelArchitecture.load(fixture.folder).text)
    let rows = zip(try fixture.ids(), try fixture.ids("types")).map { TokenRow($0, types: $1) }
    return (fixture, tower, rows)
  }

  @Test(arguments: names)
  func logitsArePyTorchs(_ name: String) throws {
    let (fixture, tower, rows) = try pairs(name)
    #expect(rows.contains { $0.types != nil } || tower.pairs != .typed(2))
    expectClose(try ModelFixture.run(tower, rows), try fixture.numbers("logits"), name)
  }

  /// The rows of a batch are ragged, and each has types of its own.
  @Test(arguments: names)
  func textsAndPairsDoNotSeeEachOther(_ name: String) throws {
    let (_, tower, rows) = try pairs(name)
    let texts = try ModelFixture(name).ids().map { TokenRow($0) }
    let mixed = zip(rows, texts).flatMap { [$0, $1] }
    let together = try ModelFixture.run(tower, mixed)
    expectClose(together, try mixed.flatMap { try ModelFixture.run(tower, [$0]) }, tolerance: 1e-6, name)
  }

  /// One text takes the rows that it takes where nobody speaks of types.
  @Test func zerosAreNoTypes() throws {
    let (_, tower, rows) = try pairs("bert-reranker")
    for row in rows {
      let zeros = TokenRow(row.ids, types: row.ids.map { _ in 0 })
      #expect(zeros.types == nil)
      for (plain, typed) in zip(try tower.inputs([row.ids]), try tower.inputs([zeros])) {
        #expect(try plain.elements(of: Int32.self) == typed.elements(of: Int32.self))
      }
    }
  }

  /// A mask leaves a token out together with its type.
  @Test func typesFollowTheirTokens() throws {
    let (_, tower, _) = try pairs("bert-reranker")
    let masked = TokenRow([2, 9, 3, 8, 3], marks: [1, 0, 1, 1, 1], types: [0, 0, 0, 1, 1])
    #expect(masked.seenTypes == [0, 0, 1, 1])
    let positions = try tower.inputs([masked])[1].elements(of: Int32.self)
    #expect(positions == [0, 2, 51, 52])
  }

  @Test(arguments: [("bert-reranker", Int32(2)), ("bert-reranker", -1), ("roberta-classifier", 1)])
  func typesThatTheModelLacksAreRefused(_ name: String, _ type: Int32) throws {
    let (_, tower, _) = try pairs(name)
    let error = try #require(throws: ApusError.self) {
      try tower.inputs([TokenRow([0, 9, 2, 8, 2], types: [0, 0, 0, type, type])])
    }
    #expect(error.kind == .argument && "\(error)".contains("type \(type)"), "\(error)")
  }

  @Test func othersTakeNoPairs() throws {
    for name in ["clip", "siglip"] {
      #expect(try ModelArchitecture.load(ModelFixture(name).folder).text?.pairs == .refused)
    }
    let distilled = try ModelArchitecture.load(ModelFixture("distilbert-classifier").folder)
    #expect(distilled.text?.pairs == .untyped)
  }
}
