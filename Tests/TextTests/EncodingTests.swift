import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// Pairs that are too long, batches and padding, as the `tokenizers` library has them:
/// `Tools/fixtures/tokenizers/encodings.py`.
@Suite struct EncodingTests {
  private struct Fixture: Decodable {
    var tokenizers: [String: [Case]]
  }

  private struct Case: Decodable {
    var texts: [[String]]
    var length: Int
    var strategy: String
    var side: String
    var padding: Filling?
    var encodings: [Parts]
  }

  private struct Filling: Decodable {
    var side: String
    var length: Int?
    var multiple: Int?
  }

  private struct Parts: Decodable {
    var ids: [Int32]
    var types: [Int32]
    var special: [Int32]
    var mask: [Int32]
  }

  private static func fixture() throws -> Fixture {
    let url = Checkout.fixture("tokenizers").appendingPathComponent("encodings.json")
    return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: url))
  }

  private func side(_ name: String) throws -> TextSide { try #require(TextSide(rawValue: name)) }

  @Test func cutsAndFillsUpAsTheLibrary() throws {
    let fixture = try Self.fixture()
    #expect(fixture.tokenizers.count >= 5)
    for (name, cases) in fixture.tokenizers {
      let tokenizer = try TokenizerFixture.tokenizer(name)
      #expect(cases.count > 15, "\(name)")
      for item in cases {
        let truncation = Truncation(
          maximumLength: item.length, side: try side(item.side),
          strategy: try #require(TruncationStrategy(rawValue: item.strategy)))
        let padding = try item.padding.map {
          Padding(length: $0.length, id: 1, side: try side($0.side), multiple: $0.multiple ?? 1)
        }
        let found: [Encoding]
        if item.texts.allSatisfy({ $0.count == 2 }) {
          let pairs = item.texts.map { ($0[0], $0[1]) }
          found = tokenizer.encode(pairs: pairs, truncation: truncation, padding: padding)
        } else {
          found = tokenizer.encode(item.texts.map { $0[0] }, truncation: truncation, padding: padding)
        }
        let place = "\(name): \(item.texts), \(truncation)"
        #expect(found.map(\.ids) == item.encodings.map(\.ids), "\(place)")
        #expect(found.map(\.tokenTypes) == item.encodings.map(\.types), "\(place)")
        #expect(found.map(\.specialTokensMask) == item.encodings.map(\.special), "\(place)")
        #expect(found.map(\.attentionMask) == item.encodings.map(\.mask), "\(place)")
      }
    }
  }

  /// Where the library refuses: the text that may be cut is too short to make room.
  @Test func theOtherTextIsCutWhereOneIsNotEnough() throws {
    let tokenizer = try TokenizerFixture.tokenizer("bert")
    for strategy in [TruncationStrategy.onlyFirst, .onlySecond, .longestFirst] {
      for length in 0..<12 {
        let truncation = Truncation(maximumLength: length, strategy: strategy)
        let encoding = tokenizer.encode("one two three", "four five six seven", truncation: truncation)
        #expect(encoding.ids.count <= length && encoding.wasTruncated)
        #expect(encoding.tokenTypes.count == encoding.ids.count)
        #expect(encoding.specialTokensMask.count == encoding.ids.count)
      }
    }
  }

  @Test func lengthsAreThoseOfTheFiles() throws {
    let tokenizer = try TokenizerFixture.tokenizer("bert")
    #expect(throws: ApusError.self) { try tokenizer.truncation() }
    #expect(try tokenizer.truncation(to: 7, strategy: .onlySecond).strategy == .onlySecond)
    #expect(throws: ApusError.self) { try tokenizer.padding() }
  }

  /// transformers cuts nothing at such lengths.
  @Test(arguments: [("bert", 2, 3), ("roberta", 2, 4)])
  func aLengthHasRoomForSpecialTokens(_ name: String, _ one: Int, _ two: Int) throws {
    let tokenizer = try TokenizerFixture.tokenizer(name)
    let error = try #require(throws: ApusError.self) { try tokenizer.truncation(to: one - 1) }
    #expect(error.kind == .argument && error.expected?.contains("at least \(one)") == true, "\(error)")
    let least = try tokenizer.truncation(to: one)
    let ids = tokenizer.encode("a cat", truncation: least).ids
    #expect(ids.count == one)
    #expect(throws: ApusError.self) { try tokenizer.requireSpecialTokens(fit: two - 1, ofPairs: true) }
    try tokenizer.requireSpecialTokens(fit: two, ofPairs: true)
  }

  /// Texts without special tokens need no room for them, and pairs need more.
  @Test(arguments: [("bert", 3), ("roberta", 4)])
  func aLengthIsForWhatIsEncoded(_ name: String, _ two: Int) throws {
    let tokenizer = try TokenizerFixture.tokenizer(name)
    let short = try tokenizer.truncation(to: 1, addingSpecialTokens: false)
    let ids = tokenizer.encode("a cat", addingSpecialTokens: false, truncation: short).ids
    #expect(ids.count == 1)
    let error = try #require(throws: ApusError.self) {
      try tokenizer.truncation(to: two - 1, ofPairs: true)
    }
    #expect(error.kind == .argument && error.expected?.contains("at least \(two)") == true, "\(error)")
    let least = try tokenizer.truncation(to: two, ofPairs: true)
    let pair = tokenizer.encode("a", "cat", truncation: least)
    #expect(pair.ids.count == two && pair.specialTokensMask.allSatisfy { $0 == 1 })
  }
}
