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

  /// Characters that are composed of several, as NFC does, have no place of their own: texts without such, of 54.
  private static let known = ["clip": 50, "joined_unknown": 52, "pieces_without_bytes": 50]

  @Test(arguments: TokenizerFixture.names)
  func placesAreThoseOfTheLibrary(_ name: String) throws {
    let (texts, rows) = (try TokenizerFixture.texts(), try #require(try Self.fixture().tokenizers[name]))
    let tokenizer = try TokenizerFixture.tokenizer(name)
    #expect(texts.count == rows.count)
    var known = 0
    for (text, row) in zip(texts, rows) {
      let encoding = tokenizer.encode(text, findingOffsets: true)
      #expect(encoding.ids == tokenizer.encode(text).ids)
      guard let offsets = encoding.offsets else { continue }
      known += 1
      #expect(offsets.flatMap { [$0.lowerBound, $0.upperBound] } == row, "\(text.debugDescription)")
    }
    #expect(known >= Self.known[name] ?? texts.count, "\(known) of \(texts.count)")
  }
}
