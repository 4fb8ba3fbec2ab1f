import Testing

@testable import Text

@Suite("Small tokenizers of every kind give what the tokenizers library gives")
struct TokenizerFixtureTests {
  @Test("ids, types and text", arguments: TokenizerFixture.names)
  func rows(name: String) throws {
    let fixture = try TokenizerFixture(name)
    let tokenizer = try TokenizerFixture.tokenizer(name)
    let texts = try TokenizerFixture.texts()
    #expect(fixture.rows.count == texts.count)
    for (text, row) in zip(texts, fixture.rows) {
      let encoding = tokenizer.encode(text)
      #expect(encoding.ids == row.ids, "\(text.debugDescription)")
      #expect(encoding.tokenTypes == row.types ?? [Int32](repeating: 0, count: row.ids.count))
      #expect(!encoding.wasTruncated && encoding.content == 0..<row.ids.count)
      let plain = tokenizer.encode(text, addingSpecialTokens: false)
      #expect(plain.ids == Array(row.ids[row.plain[0]..<row.plain[1]]), "\(text.debugDescription)")
      #expect(tokenizer.decode(row.ids, skippingSpecialTokens: false) == row.decoded)
      #expect(tokenizer.decode(row.ids) == row.skipped ?? row.decoded)
    }
  }

  @Test("pairs", arguments: TokenizerFixture.names)
  func pairs(name: String) throws {
    let pair = try TokenizerFixture(name).pair
    let encoding = try TokenizerFixture.tokenizer(name).encode(pair.first, pair.second)
    #expect(encoding.ids == pair.ids)
    #expect(encoding.tokenTypes == pair.types)
  }

  @Test("bytes that are no text are those of U+FFFD", arguments: TokenizerFixture.names)
  func invalidUTF8(name: String) throws {
    let tokenizer = try TokenizerFixture.tokenizer(name)
    let cases: [([UInt8], String)] = [
      ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xE2, 0x82, 0x41], "\u{FFFD}A"),
      ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xF0, 0x9F, 0x98], "\u{FFFD}"),
      ([0xC0, 0x80, 0x20], "\u{FFFD}\u{FFFD} "),
      ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ]
    for (bytes, text) in cases { #expect(tokenizer.encode(utf8: bytes) == tokenizer.encode(text)) }
  }

  @Test("the ids of a text are found in time that grows with the text", arguments: TokenizerFixture.names)
  func longTexts(name: String) throws {
    let tokenizer = try TokenizerFixture.tokenizer(name)
    let length = 20_000
    for part in ["a", " ", "ab ", "\u{301}", "🇩🇪", "é", "1", ".", "▁", "x\n"] {
      let text = String(repeating: part, count: length / part.utf8.count)
      let started = ContinuousClock.now
      _ = tokenizer.encode(text)
      #expect(ContinuousClock.now - started < .seconds(20), "\(part.debugDescription)")
    }
  }
}
