import Foundation
import TestSupport
import TensorCore
import Testing
import Text

/// Real models give the ids that the sentencepiece library gave for the texts listed with them.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data")) struct SentencePieceSharedDataTests {
  struct SiglipVectors: Decodable {
    struct Row: Decodable {
      var text: String
      var sentencepiece_raw_ids: [Int32]
      var sentencepiece_pieces: [String]
    }
    var rows: [Row]
  }

  struct SmallVectors: Decodable {
    struct Row: Decodable {
      var text: String
      var test_model: [Int32]
      var test_ja_model: [Int32]
    }
    var rows: [Row]
  }

  @Test func siglip() throws {
    let vectors: SiglipVectors = try vectors("reference_siglip")
    let tokenizer = try tokenizer("siglip/spiece.model")
    #expect(tokenizer.model.trainer.byteFallback)
    #expect(tokenizer.model.pieces.count == 32_000)
    for row in vectors.rows {
      let ids = tokenizer.encode(row.text)
      #expect(ids == row.sentencepiece_raw_ids, "\(row.text)")
      #expect(ids.map { tokenizer.model.pieces.text(of: $0) } == row.sentencepiece_pieces, "\(row.text)")
    }
    #expect(vectors.rows.count >= 100)
  }

  @Test func small() throws {
    let vectors: SmallVectors = try vectors("reference_sentencepiece_small")
    let english = try tokenizer("sentencepiece/test_model.model")
    let japanese = try tokenizer("sentencepiece/test_ja_model.model")
    for row in vectors.rows {
      #expect(english.encode(row.text) == row.test_model, "\(row.text)")
      #expect(japanese.encode(row.text) == row.test_ja_model, "\(row.text)")
    }
    #expect(vectors.rows.count >= 100)
  }

  /// Ten megabytes in one text; in debug builds, which crawl, one.
  @Test func manyMegabytes() throws {
    let tokenizer = try tokenizer("siglip/spiece.model")
    let line = try FileBytes.read(SharedData.path("tokenizers/sentencepiece/botchan.txt"))
    var text: [UInt8] = []
    #if DEBUG
      let size = 1_000_000
    #else
      let size = 10_000_000
    #endif
    while text.count < size { text += line }
    let once = tokenizer.encode(line).count
    let all = tokenizer.encode(text).count
    #expect(abs(all - once * (text.count / line.count)) <= text.count / line.count * 10)
  }

  private func vectors<Value: Decodable>(_ name: String) throws -> Value {
    let path = SharedData.path("tokenizers/vectors/\(name).json")
    return try JSONDecoder().decode(Value.self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func tokenizer(_ path: String) throws -> SentencePieceTokenizer {
    let bytes = try FileBytes.read(SharedData.path("tokenizers/\(path)"))
    return try SentencePieceTokenizer(try SentencePieceModel(bytes))
  }
}
