import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Models

/// What the layers of a ModernBERT see, and the two spellings of its configuration.
@Suite struct ModernBERTTests {
  private func tower(_ folder: ModelFolder) throws -> any TextTower {
    try #require(try ModelArchitecture.load(folder).text)
  }

  /// A copy of a fixture with other keys; null takes one away.
  private func edited(_ name: String, _ changes: [String: Any]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: ModelFixture(name).folder.path)
    let file = URL(fileURLWithPath: "\(folder.path)/config.json")
    let old = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    var keys = try #require(old as? [String: Any])
    for (key, value) in changes { keys[key] = value is NSNull ? nil : value }
    try JSONSerialization.data(withJSONObject: keys).write(to: file)
    return folder
  }

  @Test(
    arguments: [
      ("modernbert", [nil, 4, 4, nil]), ("modernbert-cls", [3, nil, nil, 3]),
      ("modernbert-classifier", [nil, 3, 3, nil]), ("modernbert-reranker", [nil, nil, nil, nil]),
    ] as [(String, [Int?])])
  func windowsAreThoseOfTheLayers(_ name: String, _ windows: [Int?]) throws {
    let graph = try tower(ModelFixture(name).folder).graph(tokens: 5, sequences: 1)
    let attentions = graph.nodes.compactMap { $0.operation as? Attention }
    #expect(attentions.map(\.window) == windows)
    // Angles are made once for each base.
    let angles = graph.nodes.compactMap { $0.operation as? RotaryAngles }
    #expect(angles.count == Set(windows.map { $0 == nil }).count)
  }

  /// The older keys say what the newer ones say.
  @Test func bothSpellingsAreOne() throws {
    let fixture = try ModelFixture("modernbert")
    let none = NSNull()
    let folder = try edited(
      "modernbert",
      [
        "layer_types": none, "rope_parameters": none, "global_attn_every_n_layers": 3,
        "global_rope_theta": 160_000.0, "local_rope_theta": 10_000.0,
      ])
    let (ids, older) = (try fixture.ids(), try tower(ModelFolder(folder.path)))
    let wanted = try ModelFixture.run(tower(fixture.folder), ids)
    let found = try ModelFixture.run(older, ids)
    #expect(found == wanted)
    let other = try edited(
      "modernbert",
      [
        "rope_parameters": [
          "full_attention": ["rope_type": "default"], "sliding_attention": ["rope_theta": 9.0],
        ]
      ])
    let moved = try ModelFixture.run(tower(ModelFolder(other.path)), ids)
    #expect(moved != wanted)
  }

  /// Published models take 8192 tokens: no table of positions is stored, and windows bound the work of most layers.
  @Test func sequencesOfThousandsOfTokensRun() throws {
    let folder = try edited("modernbert", ["max_position_embeddings": 8192])
    let tower = try tower(ModelFolder(folder.path))
    #expect(tower.maximumTokens == 8192)
    let short = try ModelFixture("modernbert").ids()[0]
    let long = (0..<3000).map { Int32($0 &* 7 % 250 + 3) }
    let together = try ModelFixture.run(tower, [long, short])
    let alone = try ModelFixture.run(tower, [short])
    #expect(together.allSatisfy { $0.isFinite })
    expectClose(Array(together.suffix(alone.count)), alone, tolerance: 1e-6)
    let error = try #require(throws: ApusError.self) {
      try tower.inputs([[Int32](repeating: 5, count: 8193)])
    }
    #expect(error.kind == .argument && error.expected == "1 to 8192")
  }

  /// sentence-transformers does not hold its own length against the model's.
  @Test func aLengthThatIsStatedBesideTheModelCounts() throws {
    let folder = try edited("modernbert", ["max_position_embeddings": 8])
    let model = try ModelArchitecture.load(ModelFolder(folder.path))
    #expect(model.text?.maximumTokens == 448 && model.textPreparation.maximumTokens == 448)
    let ids = [Int32](repeating: 5, count: 20)
    let found = try ModelFixture.run(try #require(model.text), [ids])
    let wanted = try ModelFixture.run(tower(ModelFixture("modernbert").folder), [ids])
    #expect(found == wanted)
  }

  /// Distances over a gap are those of columns; as far as the window reaches they make no difference.
  @Test func gapsAreRefusedWhereAWindowCounts() throws {
    let (near, everything) = (
      try tower(ModelFixture("modernbert").folder), try tower(ModelFixture("modernbert-reranker").folder)
    )
    let short = TokenRow([3, 4, 5, 6, 7], marks: [1, 0, 1, 1, 1])
    let long = TokenRow([3, 4, 5, 6, 7, 8], marks: [1, 0, 1, 1, 1, 1])
    let ends = TokenRow([3, 4, 5, 6, 7, 8, 9, 10], marks: [0, 1, 1, 1, 1, 1, 1, 0])
    let positions = try near.inputs([short])[1].elements(of: Int32.self)
    #expect(positions == [0, 2, 3, 4])
    let inside = try near.inputs([ends])
    #expect(inside[0].shape.elementCount == 6)
    let all = try everything.inputs([long])
    #expect(all[0].shape.elementCount == 5)
    let error = try #require(throws: ApusError.self) { try near.inputs([ends, long]) }
    #expect(error.kind == .argument && error.location == "text 1")
  }
}
