import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

@Suite(
  "Real vocabularies give the reference's ids", .enabled(if: SharedData.isPresent, "needs the shared data"))
struct TokenizerSharedDataTests {
  private struct Reference: Decodable {
    struct Row: Decodable {
      var text: String
      var ids: [Int32]?
      var tokens: [String]?
      var hf_tokenizer_json_ids: [Int32]?
    }
    var rows: [Row]
  }

  private struct Case: Decodable {
    var text: String
    var text_pair: String?
    var ids: [Int32]
  }

  private func rows(_ name: String) throws -> [Reference.Row] {
    let path = SharedData.path("tokenizers/vectors/\(name).json")
    return try JSONDecoder().decode(Reference.self, from: Data(contentsOf: URL(fileURLWithPath: path))).rows
  }

  private func cases(_ file: String, _ model: String) throws -> [Case] {
    let path = SharedData.path("tokenizers/vectors/\(file).json")
    let all = try JSONDecoder().decode(
      [String: [String: Case]].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    return try #require(all[model]).values.sorted { $0.text < $1.text }
  }

  @Test("BERT from vocab.txt")
  func bert() throws {
    let tokenizer = try Tokenizer(contentsOf: SharedData.path("tokenizers/wordpiece/vocab.txt"))
    for row in try rows("reference_bert_uncased") {
      let encoding = tokenizer.encode(row.text)
      #expect(encoding.ids == row.ids, "\(row.text.debugDescription)")
      #expect(encoding.tokens == row.tokens)
    }
    for row in try cases("transformersjs_bert", "Xenova/bert-base-uncased") {
      let encoding = row.text_pair.map { tokenizer.encode(row.text, $0) } ?? tokenizer.encode(row.text)
      #expect(encoding.ids == row.ids, "\(row.text.debugDescription)")
    }
  }

  @Test("CLIP from vocab.json and merges.txt")
  func clip() throws {
    let tokenizer = try Tokenizer(contentsOf: SharedData.path("tokenizers/clip"))
    for row in try rows("reference_clip") {
      let encoding = tokenizer.encode(row.text)
      #expect(encoding.ids == row.ids, "\(row.text.debugDescription)")
      #expect(encoding.tokens == row.tokens)
    }
    for row in try cases("transformersjs_clip", "Xenova/clip-vit-base-patch16") {
      #expect(tokenizer.encode(row.text).ids == row.ids, "\(row.text.debugDescription)")
    }
  }

  @Test("SigLIP from tokenizer.json")
  func siglip() throws {
    let tokenizer = try Tokenizer(contentsOf: SharedData.path("tokenizers/siglip/tokenizer.json"))
    for row in try rows("reference_siglip") {
      #expect(tokenizer.encode(row.text).ids == row.hf_tokenizer_json_ids, "\(row.text.debugDescription)")
    }
    let configuration = tokenizer.configuration
    #expect(configuration.maximumLength == 64)
    #expect(configuration.paddingID == 1)
    #expect(configuration.tokenizerClass == "SiglipTokenizer")
    let padded = tokenizer.encode(
      "a photo of a cat", truncation: Truncation(maximumLength: 64), padding: Padding(length: 64, id: 1))
    #expect(padded.ids.count == 64 && padded.content == 0..<8 && padded.ids[8...].allSatisfy { $0 == 1 })
  }

  @Test("a vocabulary without special tokens is refused by name")
  func missingSpecialTokens() throws {
    let error = #expect(throws: ApusError.self) {
      try Tokenizer(contentsOf: SharedData.path("tokenizers/sentencepiece/botchan.txt"))
    }
    #expect("\(try #require(error))".contains("[UNK]"))
  }

  /// Photographs are compared with such sentences.
  @Test(arguments: ["clip", "siglip", "wordpiece/vocab.txt"])
  func ofModelsOfPhotographsHaveTheWordsOfPlainSentences(_ place: String) throws {
    let tokenizer = try Tokenizer(contentsOf: SharedData.path("tokenizers/\(place)"))
    for text in [
      "a photo", "an image", "a picture of something", "a photo of a thing", "a photo of a place",
      "a snapshot",
      "something", "a blurry photo of nothing in particular", "kids building a sandcastle",
    ] {
      #expect(tokenizer.hasWords(of: text), "\(text)")
    }
    #expect(!tokenizer.hasWords(of: "a xqzvjkwphgbfmtxqzvjkw"))
  }
}
