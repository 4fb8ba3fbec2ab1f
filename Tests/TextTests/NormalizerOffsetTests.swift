import Foundation
import TestSupport
import Testing

@testable import Text

/// Where characters are from that the steps of normalizers compose, reorder, put in and drop, as the `tokenizers` library
/// has it: `Tools/fixtures/tokenizers/normalizer_offsets.py`.
@Suite struct NormalizerOffsetTests {
  struct Steps: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let tokenizer: String
    /// For each text, start and end of each character.
    let offsets: [[Int]]
    var testDescription: String { name }
  }

  private struct Fixture: Decodable {
    let texts: [String]
    let steps: [Steps]
  }

  private static let fixture = Result {
    try JSONDecoder().decode(
      Fixture.self, from: Data(contentsOf: Checkout.fixture("tokenizers/normalizer-offsets.json")))
  }

  private static var steps: [Steps] { (try? fixture.get().steps) ?? [] }

  /// The tokenizers of the fixture.
  static func all() throws -> [Steps] { try fixture.get().steps }

  @Test(arguments: steps)
  func placesAreThoseOfTheLibrary(_ steps: Steps) throws {
    let texts = try Self.fixture.get().texts
    let tokenizer = try Tokenizer(tokenizerJSON: Array(steps.tokenizer.utf8), file: steps.name)
    #expect(texts.count == steps.offsets.count)
    for (text, row) in zip(texts, steps.offsets) {
      let offsets = tokenizer.encode(text, findingOffsets: true).offsets
      #expect(offsets?.flatMap { [$0.lowerBound, $0.upperBound] } == row, "\(text.debugDescription)")
    }
  }

  @Test func stepsAreThere() throws { #expect(try Self.fixture.get().steps.count == 25) }
}
