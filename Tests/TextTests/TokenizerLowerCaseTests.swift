import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// `Lowercase` before the rules of a class, as sentence-transformers 6.2 saves it: the classes of transformers drop it, and a
/// note says so where that makes a difference.
struct TokenizerLowerCaseTests {
  private static let text = "A PHOTO of a Cat"

  private func folder(_ model: String, _ normalizer: String, before: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(model))
    let text = try String(contentsOfFile: "\(folder.path)/tokenizer.json", encoding: .utf8)
    let changed = text.replacing("\"normalizer\":\(before)", with: "\"normalizer\":\(normalizer)")
    #expect(changed != text)
    try folder.write("tokenizer.json", changed)
    return folder
  }

  @Test func itIsWithoutEffectBeforeAClassThatHasItsOwn() throws {
    let own =
      #"{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"#
      + #""lowercase":true}"#
    let folder = try folder(
      "bert-classifier", #"{"type":"Sequence","normalizers":[{"type":"Lowercase"},\#(own)]}"#, before: own)
    let plain = try Tokenizer(contentsOf: Checkout.modelFolder("bert-classifier")).encode(Self.text).ids
    let found = try Tokenizer(contentsOf: folder.path).encode(Self.text).ids
    #expect(found == plain)
    try folder.write(
      "tokenizer_config.json", #"{"tokenizer_class": "BertTokenizer", "do_lower_case": false}"#)
    let cased = try Tokenizer(contentsOf: folder.path)
    #expect(cased.encode("A CAT").ids != cased.encode("a cat").ids && cased.notes.count == 1)
  }

  @Test func aClassWithoutItDropsIt() throws {
    let folder = try folder(
      "roberta-classifier", #"{"type":"Sequence","normalizers":[{"type":"Lowercase"}]}"#, before: "null")
    let plain = try Tokenizer(contentsOf: Checkout.modelFolder("roberta-classifier"))
    let cased = try Tokenizer(contentsOf: folder.path)
    #expect(cased.encode("A CAT").ids == plain.encode("A CAT").ids)
    #expect(cased.notes.first?.contains("rules for words") == true)
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "PreTrainedTokenizerFast"}"#)
    let lowered = try Tokenizer(contentsOf: folder.path)
    #expect(lowered.encode("A CAT").ids == lowered.encode("a cat").ids)
  }
}
