import Formats
import Graph
import TensorCore
import Testing

@testable import Models

/// What DeBERTa's attention adds for the distance of two tokens.
struct DisentangledAttentionTests {
  @Test(arguments: [
    (256, 512), (8, 24), (16, 48), (2, 4), (31, 100), (32, 512), (0, 20), (64, 24), (9, 3), (8, 1), (3, 1),
    (512, 2),
  ])
  func bucketsAreThoseOfTheLibrary(_ count: Int, _ farthest: Int) throws {
    let expected = try ModelFixture("deberta").numbers("\(count) \(farthest)")
    #expect(expected.count == 1201)
    let attention = try attention(
      #""relative_attention": true, "position_buckets": \#(count), "max_relative_positions": \#(farthest)"#)
    #expect((-600...600).map { Float(attention.bucket(of: $0)) } == expected)
    // Where their half reaches beyond the farthest distance they fall.
    guard count / 2 < farthest else { return }
    // Of two buckets a side the last is never reached.
    let first = count == 2 ? 1 : 0
    #expect(attention.bucket(of: .max) == 2 * attention.span - 1 && attention.bucket(of: .min) == first)
  }

  /// Those that fall with the distance end at the other side's last one.
  @Test func bucketsThatFallHaveAnEnd() throws {
    let attention = try attention(
      #""relative_attention": true, "pos_att_type": "c2p", "position_buckets": 64, "max_relative_positions": 24"#
    )
    #expect(attention.isUsed && attention.bucket(of: .max) == 0 && attention.bucket(of: .min) == 127)
    #expect(attention.bucket(of: 32) == 96 && attention.bucket(of: 33) < 96)
  }

  /// Both kinds that are named scale the products down, also where distances play no part.
  @Test(arguments: [
    (#""pos_att_type": ["c2p", "p2c"]"#, 2, false),
    (#""pos_att_type": "c2p", "relative_attention": true"#, 1, true),
    (#""relative_attention": true"#, 0, false), (#""pos_att_type": ["p2c", "p2c"]"#, 1, false),
  ])
  func namedProductsCount(_ json: String, _ count: Int, _ isUsed: Bool) throws {
    let attention = try attention(json)
    #expect(attention.namedTerms == count && attention.isUsed == isUsed)
  }

  private func attention(_ json: String) throws -> DisentangledAttention {
    let reader = try ConfigurationReader(Array("{\(json)}".utf8), file: "config.json")
    return try DisentangledAttention(reader, positions: 512)
  }

  /// Graphs for long texts have the same vectors; those for short ones the few that they can need.
  @Test func graphsHaveTheVectorsOfTheirDistances() throws {
    let tower = try tower("deberta-classifier")
    func vectors(_ tokens: Int) throws -> [Tensor] {
      let graph = try tower.graph(tokens: tokens, sequences: 1)
      let products = graph.nodes.filter { $0.operation is HeadProducts }
      return products.compactMap { node in node.inputs[1].flatMap { graph[$0].constant } }
    }
    let (few, some, many) = (try vectors(10), try vectors(48), try vectors(60))
    // Both products of both layers.
    #expect(few.count == 4 && some.count == 4 && many.count == 4)
    #expect(few.allSatisfy { $0.shape.dimensions == [23, 32] })
    #expect((some + many).allSatisfy { $0.shape.dimensions == [32, 32] })
    // Parts of the file, of which nothing is copied.
    let storages = Set((few + some + many).map { ObjectIdentifier($0.storage) })
    #expect(storages.count == 1)
  }

  /// What graphs of the same power of 2 of tokens have packed is there once, for all of a model's distances too.
  @Test func graphsOfALengthPackTheirVectorsOnce() throws {
    let tower = try tower("deberta-classifier")
    var options = CompileOptions()
    options.precision = .float32
    let store = PackedWeightStore()
    options.packedWeights = store
    func bytes(_ tokens: Int) throws -> Int {
      _ = try Compiler.compile(tower.graph(tokens: tokens, sequences: 1), options)
      return store.byteCount
    }
    let some = try bytes(48)
    let others = try bytes(60)
    #expect(others == some)
    let few = try bytes(10)
    #expect(few > some)
  }

  /// Without a table of positions few texts are too long, but sentence-transformers cuts one.
  @Test(arguments: [
    ("deberta", 192), ("deberta-classifier", 4096), ("deberta-convolution", 48), ("deberta-c2p", 64),
    ("deberta-absolute", 48),
  ])
  func longestTexts(_ name: String, _ tokens: Int) throws {
    let model = try ModelArchitecture.load(ModelFixture(name).folder)
    let tower = try #require(model.text)
    #expect(min(tower.maximumTokens, model.textPreparation.maximumTokens ?? .max) == tokens)
    #expect(tower.maximumTokens >= tokens)
  }

  /// Distances are those of columns, which tokens between the others that are left out would change.
  @Test func gapsAreRefused() throws {
    let row = TokenRow([1, 9, 8, 2], marks: [1, 0, 1, 1])
    for name in ["deberta", "deberta-convolution"] {
      let tower = try tower(name)
      let error = try #require(throws: ApusError.self) { try tower.inputs([row]) }
      #expect(error.kind == .argument && error.location == "text 0", "\(error)")
    }
    let ids = try tower("deberta-absolute").inputs([row])[0]
    #expect(ids.shape.elementCount == 3)
  }

  /// Types of tokens are rows of their own where there are no positions.
  @Test func typesWithoutPositions() throws {
    let pair = TokenRow([1, 9, 2, 8, 2], types: [0, 0, 0, 1, 1])
    let tower = try tower("deberta-c2p")
    #expect(tower.pairs == .typed(2))
    let rows = try tower.inputs([pair])[1].elements(of: Int32.self)
    #expect(rows == [0, 0, 0, 1, 1])
    let (typed, plain) = (try ModelFixture.run(tower, [pair]), try ModelFixture.run(tower, [pair.ids]))
    #expect(typed != plain)
    let without = try self.tower("deberta-classifier")
    #expect(without.pairs == .untyped)
    let found = try ModelFixture.run(without, [pair])
    let expected = try ModelFixture.run(without, [pair.ids])
    #expect(found == expected)
  }

  private func tower(_ name: String) throws -> any TextTower {
    try #require(try ModelArchitecture.load(ModelFixture(name).folder).text)
  }
}
