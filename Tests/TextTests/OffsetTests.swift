import Foundation
import TestSupport
import Testing

@testable import Text

/// Where tokens are from, as the `tokenizers` library has it: `Tools/fixtures/tokenizers/offsets.py`.
@Suite struct OffsetTests {
  private struct Fixture: Decodable {
    /// For each text, start and end of each token.
    var tokenizers: [String: [[Int]]]
  }

  private static func fixture() throws -> Fixture {
    let url = Checkout.fixture("tokenizers").appendingPathComponent("offsets.json")
    return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: url))
  }

  @Test(arguments: TokenizerFixture.names)
  func placesAreThoseOfTheLibrary(_ name: String) throws {
    let (texts, rows) = (try TokenizerFixture.texts(), try #require(try Self.fixture().tokenizers[name]))
    let tokenizer = try TokenizerFixture.tokenizer(name)
    #expect(texts.count == rows.count)
    for (text, row) in zip(texts, rows) {
      let encoding = tokenizer.encode(text, findingOffsets: true)
      #expect(encoding.ids == tokenizer.encode(text).ids)
      #expect(
        encoding.offsets?.flatMap { [$0.lowerBound, $0.upperBound] } == row, "\(text.debugDescription)")
    }
  }

  /// An added token that begins in the space that the one before it took in: both have it, as in `tokenizers` 0.23.3.
  @Test(arguments: [
    ("x a   a a  a", [0, 1, 1, 6, 5, 8, 7, 11, 10, 12]),
    ("b a a\n\n a a  ", [0, 1, 1, 4, 3, 5, 5, 8, 8, 9, 9, 13]),
    ("a a  aa", [0, 1, 1, 5, 4, 6, 6, 7]),
    (" a  \n  a", [0, 2, 2, 7, 7, 8]),
  ])
  func tokensMayShareSpace(_ text: String, _ row: [Int]) throws {
    let tokenizer = try Tokenizer(
      tokenizerJSON: Array(
        #"""
        {"added_tokens": [{"id": 3, "content": " a", "rstrip": true, "normalized": true},
        {"id": 4, "content": "\n", "lstrip": true, "rstrip": true, "normalized": false, "special": true}],
        "model": {"type": "BPE", "unk_token": "u", "vocab": {"u": 0, "a": 1, "aa": 2}, "merges": ["a a"]}}
        """#.utf8), file: "tokenizer.json")
    let encoding = tokenizer.encode(text, findingOffsets: true)
    #expect(encoding.ids == tokenizer.encode(text).ids)
    #expect(encoding.offsets?.flatMap { [$0.lowerBound, $0.upperBound] } == row)
  }
}
