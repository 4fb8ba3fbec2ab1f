import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Encoders whose last token stands for a text, as `Tools/fixtures/transformers/last_tokens.py` had sentence-transformers
/// compute it.
@Suite struct LastTokenTests {
  private func tower(_ name: String, _ pooling: String) throws -> any TextTower {
    let folder = try TemporaryFolder(copying: ModelFixture(name).folder.path)
    try folder.write("1_Pooling/config.json", pooling)
    try folder.write(
      "modules.json",
      #"""
      [{"type": "sentence_transformers.models.Transformer", "path": ""},
      {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}]
      """#)
    return try #require(try ModelArchitecture.load(ModelFolder(folder.path)).text)
  }

  /// With padding behind texts and before them: a bias by distances, windows and vectors of distances among the models, whose
  /// last layer has to compute every row; a causal one, whose last layer has not.
  @Test(arguments: ["bert-sentence", "mpnet", "modernbert", "deberta", "clip-text"])
  func theLastTokenThatAMaskKeeps(_ name: String) throws {
    let fixture = try ModelFixture(name, "last.json")
    let rows = zip(try fixture.ids(), try fixture.ids("masks")).map { TokenRow($0, marks: $1) }
    let wanted = try fixture.numbers("rows")
    for pooling in [
      #"{"pooling_mode_lasttoken": true, "pooling_mode_mean_tokens": false}"#,
      #"{"pooling_mode": "lasttoken"}"#,
      #"{"pooling_mode": ["lasttoken"]}"#,
    ] {
      let tower = try tower(name, pooling)
      expectClose(try ModelFixture.run(tower, rows), wanted, name)
      #expect(tower.outputWidth * rows.count == wanted.count && tower.pooledToken(of: [1, 2]) == nil)
      // One by one, too.
      for (index, row) in rows.enumerated() {
        let width = tower.outputWidth
        expectClose(
          try ModelFixture.run(tower, [row]), Array(wanted[index * width..<(index + 1) * width]), name)
      }
    }
  }
}
