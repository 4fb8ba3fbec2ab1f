import Foundation
import TestSupport
import Testing

@testable import Text

/// What a long text costs beside itself, in a process of its own. `Documentation/notes/long-texts.md` states these bounds.
@Suite("Memory of long texts")
struct LongTextMemoryTests {
  /// Texts by what is hard about them.
  private static let kinds = [
    "words": "The heart is of normal size, and the lungs are clear. ", "a letter": "a",
    "letters": "etaoinshrdlu", "accents": "é", "marks": "-", "spaces": " ",
    "unknown": "ღ", "many unknown": "ღაბგდევზთიკ",
  ]

  private static func text(_ kind: String, _ count: Int) -> String {
    let part = kinds[kind] ?? ""
    return String(repeating: part, count: count / part.utf8.count)
  }

  private static func tokenizers() throws -> [(name: String, tokenizer: Tokenizer)] {
    var all = try TokenizerFixture.names.map { ($0, try TokenizerFixture.tokenizer($0)) }
    for name in ["albert", "deberta", "mpnet", "siglip"] {
      all.append(("the model \(name)", try Tokenizer(contentsOf: Checkout.modelFolder(name))))
    }
    for name in ["unigram", "bpe", "word", "character"] {
      let folder = try TemporaryFolder()
      try folder.write("spiece.model", try SentencePieceFixtures.bytes(of: name))
      all.append(("sentencepiece \(name)", try Tokenizer(contentsOf: folder.path)))
      guard name == "unigram" else { continue }
      try folder.write("tokenizer_config.json", #"{"tokenizer_class": "SiglipTokenizer"}"#)
      all.append(("SigLIP", try Tokenizer(contentsOf: folder.path)))
    }
    return all
  }

  /// Says on standard error which tokenizers take more than a bound of the bytes of a text and of its tokens.
  private static func measure(
    _ count: Int, _ kinds: [String], _ truncation: Truncation?, besides exceptions: Set<String> = [],
    bound: (Int, Int) -> Int
  ) throws {
    for kind in kinds {
      let text = text(kind, count)
      for (name, tokenizer) in try tokenizers() where !exceptions.contains(name) {
        let peak = PeakMemory()
        let tokens = tokenizer.encode(text, truncation: truncation).ids.count
        let bytes = peak.byteCount
        guard bytes > bound(text.utf8.count, tokens) else { continue }
        let line = "\(name), \(kind): \(bytes) bytes for \(text.utf8.count) and \(tokens) tokens\n"
        FileHandle.standardError.write(Data(line.utf8))
      }
    }
  }

  private static func expectNothingSaid(by result: ExitTest.Result?) {
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(said?.isEmpty == true, "\(said ?? "")")
  }

  @Test("texts that are cut take no more than three times their bytes, and 32 MB")
  func cut() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try Self.measure(60_000_000, ["words"], Truncation(maximumLength: 64)) { bytes, _ in
        3 * bytes + 32 << 20
      }
    }
    Self.expectNothingSaid(by: result)
  }

  @Test(
    "texts of one word that are cut take no more than three times their bytes, and 32 MB",
    arguments: ["a letter", "letters", "accents", "marks", "spaces", "unknown", "many unknown"])
  func cutWords(_ kind: String) async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [kind] in
      // Not within the bound: a stretch whose neighbours all stand in pieces.
      let exceptions: Set = ["sentencepiece bpe"]
      try Self.measure(32_000_000, [kind], Truncation(maximumLength: 512), besides: exceptions) { bytes, _ in
        3 * bytes + 32 << 20
      }
    }
    Self.expectNothingSaid(by: result)
  }

  @Test("of all their tokens, texts take no more than 8 times their bytes, 20 a token, and 32 MB")
  func whole() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try Self.measure(3_000_000, ["words", "a letter"], nil) { bytes, tokens in
        8 * bytes + 20 * tokens + 32 << 20
      }
    }
    Self.expectNothingSaid(by: result)
  }
}
