import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// The tokenizers that transformers 2.11 to 5 save open, and give the ids that transformers 5 gives for the same folders:
/// `Tools/fixtures/tokenizers/versions.py` made them.
@Suite struct SavedVersionTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let vocabulary: String
    let ids: [[Int32]]?
    let pair: [Int32]?
    /// Why transformers 5 does not open the folder.
    let error: String?
    let raw: [String]?
    /// Numbers of texts by the names of files.
    let files: [String: Int]
    var testDescription: String { name }
  }

  struct Saved: Decodable, Sendable {
    struct Pieces: Decodable, Sendable {
      let words: [String]?
      let merges: [String]?
      let model: String?
    }
    let texts: [String]
    let pair: [String]
    let vocabularies: [String: Pieces]
    let files: [String]
    let cases: [Case]
  }

  static let saved: Saved = {
    let file = Checkout.fixture("tokenizers").appendingPathComponent("versions.json")
    guard let data = try? Data(contentsOf: file),
      let saved = try? JSONDecoder().decode(Saved.self, from: data)
    else { return Saved(texts: [], pair: [], vocabularies: [:], files: [], cases: []) }
    return saved
  }()

  /// What is refused rightly, and why: XLM-RoBERTa's slow class of 4.40 and 4.57 states ids for further tokens that leave no
  /// place for the mask, and transformers 5 gives them other ids than stated, for which a model has other embeddings.
  static let refusals = [
    "4.40.2 XLMRobertaTokenizer changed": "is 901, expected 902",
    "4.57.3 XLMRobertaTokenizer changed": "is 901, expected 902",
  ]

  @Test func allVersionsAreThere() throws {
    let versions = Set(Self.saved.cases.compactMap { $0.name.split(separator: " ").first })
    #expect(versions == ["2.11.0", "3.5.1", "4.11.3", "4.20.1", "4.30.2", "4.40.2", "4.57.3", "5.24.0"])
    #expect(Self.saved.cases.count == 264 && Self.saved.cases.allSatisfy { $0.ids != nil })
  }

  @Test(arguments: saved.cases)
  func opens(_ this: Case) throws {
    let folder = try folder(this)
    guard let ids = this.ids, let pair = this.pair else {
      #expect(throws: ApusError.self, "\(this.error ?? "")") { try Tokenizer(contentsOf: folder.path) }
      return
    }
    if let says = Self.refusals[this.name] {
      let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
      #expect("\(error)".contains(says), "\(error)")
      return
    }
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    for (text, ids) in zip(Self.saved.texts, ids) { #expect(tokenizer.encode(text).ids == ids, "\(text)") }
    #expect(tokenizer.encode(Self.saved.pair[0], Self.saved.pair[1]).ids == pair)
    #expect(tokenizer.notes == [])
  }

  private func folder(_ this: Case) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, number) in this.files {
      let text = Self.saved.files[number]
      try folder.write(name, name == "tokenizer.json" ? try withTables(text) : text)
    }
    let pieces = try #require(Self.saved.vocabularies[this.vocabulary])
    for name in this.raw ?? [] {
      switch name {
      case "vocab.txt": try folder.write(name, (pieces.words ?? []).joined(separator: "\n") + "\n")
      case "vocab.json":
        let ids = Dictionary(uniqueKeysWithValues: (pieces.words ?? []).enumerated().map { ($1, $0) })
        try folder.write(name, String(decoding: try JSONEncoder().encode(ids), as: UTF8.self))
      case "merges.txt":
        try folder.write(name, "#version: 0.2\n\((pieces.merges ?? []).joined(separator: "\n"))\n")
      default: try folder.write(name, try SentencePieceFixtures.bytes(of: try #require(pieces.model)))
      }
    }
    return folder
  }

  /// The text of a `tokenizer.json` with the tables of its model, which stand by themselves.
  private func withTables(_ text: String) throws -> String {
    var text = text
    for key in ["vocab", "merges"] {
      guard
        let found = text.firstMatch(
          of: try Regex("\"\(key)\": ([0-9]+)[,}]", as: (Substring, Substring).self)),
        let number = Int(found.1)
      else { continue }
      text.replaceSubrange(found.1.startIndex..<found.1.endIndex, with: Self.saved.files[number])
    }
    return text
  }
}
