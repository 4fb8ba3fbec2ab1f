import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Text

/// In a folder that names a class, a sentencepiece model gives what that class of transformers gives.
@Suite struct SentencePieceClassesTests {
  @Test func siglip() throws {
    let expected = try SentencePieceFixtures.classesExpectation()
    try check(expected.SiglipTokenizer, expected.texts, model: "unigram", class: "SiglipTokenizer")
  }

  /// The class reads no `tokenizer.json`, though one with other pieces lies beside its file.
  @Test(arguments: [
    #"{"tokenizer_class": "SiglipTokenizer"}"#, #"{"tokenizer_class": "SiglipTokenizerFast"}"#, "{}",
  ])
  func siglipGoesByItsOwnFile(settings: String) throws {
    let expected = try SentencePieceFixtures.classesExpectation()
    try inFolder(model: "unigram", configuration: settings) { folder in
      // Settings without a class have that of the model.
      try Data(#"{"model_type": "siglip"}"#.utf8).write(to: URL(fileURLWithPath: folder + "/config.json"))
      let other = folder + "/tokenizer.json"
      try FileManager.default.copyItem(
        atPath: Checkout.modelFolder("siglip") + "/tokenizer.json", toPath: other)
      let (tokenizer, wrong) = (try Tokenizer(contentsOf: folder), try Tokenizer(contentsOf: other))
      let texts = expected.texts.map { String(decoding: $0, as: UTF8.self) }
      #expect(texts.map { tokenizer.encode($0).ids } == expected.SiglipTokenizer.ids)
      #expect(texts.map { wrong.encode($0).ids } != expected.SiglipTokenizer.ids)
    }
  }

  @Test(arguments: ["T5Tokenizer", "T5TokenizerFast"])
  func t5(name: String) throws {
    let expected = try SentencePieceFixtures.classesExpectation()
    try check(expected.T5Tokenizer, expected.texts, model: "t5", class: name)
  }

  @Test(arguments: ["XLMRobertaTokenizer", "XLMRobertaTokenizerFast"])
  func xlmRoberta(name: String) throws {
    let expected = try SentencePieceFixtures.classesExpectation()
    try check(expected.XLMRobertaTokenizer, expected.texts, model: "t5", class: name)
  }

  private func check(
    _ expected: SentencePieceFixtures.ClassesExpectation.Class, _ texts: [Data], model: String,
    class name: String
  ) throws {
    try inFolder(model: model, configuration: #"{"tokenizer_class": "\#(name)"}"#) { folder in
      let tokenizer = try Tokenizer(contentsOf: folder)
      for (index, text) in texts.enumerated() {
        let text = String(decoding: text, as: UTF8.self)
        #expect(tokenizer.encode(text).ids == expected.ids[index], "text \(text.debugDescription)")
        let ids = expected.ids[index]
        #expect(tokenizer.decode(ids, skippingSpecialTokens: false) == expected.decoded[index], "ids \(ids)")
        #expect(tokenizer.decode(ids) == expected.decoded_without_special[index], "ids \(ids)")
      }
    }
  }

  /// Both kinds of pieces are looked for before a text is cut, and control pieces are special.
  @Test(arguments: [UInt64(4), 3])
  func userDefinedAndControlPiecesAreAddedTokens(type: UInt64) throws {
    func ids(_ name: String, _ pieces: [(String, UInt64)], _ more: String = "") throws -> [Int32] {
      var model = SentencePieceModelBuilder()
      for (text, type) in pieces { model.piece(text, score: -1, type: type) }
      let folder = try TemporaryFolder()
      try folder.write(name == "T5Tokenizer" ? "spiece.model" : "sentencepiece.bpe.model", model.bytes)
      try folder.write("tokenizer_config.json", #"{"tokenizer_class": "\#(name)"\#(more)}"#)
      let tokenizer = try Tokenizer(contentsOf: folder.path)
      let id = try #require(tokenizer.id(of: "joy"))
      #expect(more.isEmpty == false || tokenizer.decode([id]).isEmpty == (type == 3))
      return tokenizer.encode("joy a").ids
    }
    let tail: [(String, UInt64)] = [("joy", type), ("\u{2581}", 1), ("a", 1)]
    let xlm = try ids("XLMRobertaTokenizer", [("<unk>", 2), ("<s>", 3), ("</s>", 3)] + tail)
    #expect(xlm == [0, 4, 5, 6, 2])
    let t5: [(String, UInt64)] = [("<pad>", 3), ("</s>", 3), ("<unk>", 2)] + tail
    #expect(try ids("T5Tokenizer", t5) == [3, 4, 5, 1])
    // Stated tokens take the place of the class's own.
    #expect(try ids("T5Tokenizer", t5, #", "extra_special_tokens": []"#) == [4, 3, 4, 5, 1])
  }

  /// SigLIP fills up to its 64 tokens with `</s>`, and ends a text that is too long with it.
  @Test func siglipLengths() throws {
    let configuration = """
      {"tokenizer_class": "SiglipTokenizer", "model_max_length": 8, "pad_token": "</s>"}
      """
    try inFolder(model: "unigram", configuration: #"{"tokenizer_class": "SiglipTokenizer"}"#) { folder in
      let tokenizer = try Tokenizer(contentsOf: folder)
      #expect(tokenizer.configuration.maximumLength == 64)
    }
    try inFolder(model: "unigram", configuration: configuration) { folder in
      let tokenizer = try Tokenizer(contentsOf: folder)
      let end = try #require(tokenizer.id(of: "</s>"))
      #expect(tokenizer.configuration.maximumLength == 8)
      #expect(tokenizer.configuration.paddingID == end)
      let truncation = Truncation(maximumLength: 8)
      let padding = Padding(length: 8, id: end)
      let short = tokenizer.encode("a cat", truncation: truncation, padding: padding)
      #expect(short.ids.count == 8)
      #expect(short.ids.last == end)
      #expect(!short.wasTruncated)
      let long = tokenizer.encode(
        String(repeating: "a cat ", count: 30), truncation: truncation, padding: padding)
      #expect(long.ids.count == 8)
      #expect(long.ids.last == end)
      #expect(long.wasTruncated)
    }
  }

  @Test(arguments: ["false", "null"])
  func caseIsKeptWhenAsked(lowercases: String) throws {
    let configuration = #"{"tokenizer_class": "SiglipTokenizer", "do_lower_case": \#(lowercases)}"#
    try inFolder(model: "unigram", configuration: configuration) { folder in
      let tokenizer = try Tokenizer(contentsOf: folder)
      #expect(tokenizer.encode("Cat").ids != tokenizer.encode("cat").ids)
    }
  }

  /// The file alone, without a configuration beside it, is the model as the sentencepiece library has it.
  @Test func fileAlone() throws {
    let expected = try SentencePieceFixtures.expectation("bpe")
    try inFolder(model: "bpe", configuration: nil) { folder in
      let tokenizer = try Tokenizer(contentsOf: folder + "/spiece.model")
      let raw = try SentencePieceFixtures.tokenizer("bpe")
      for (text, ids) in zip(try SentencePieceFixtures.texts(), expected.ids)
      where String(decoding: text, as: UTF8.self).utf8.elementsEqual(text) {
        let encoding = tokenizer.encode(utf8: text)
        #expect(encoding.ids == ids)
        let text = try raw.decode(ids)
        #expect(tokenizer.decode(ids, skippingSpecialTokens: false) == text)
      }
    }
  }

  /// The id is that of transformers 5.24.
  @Test func furtherTokensOfXLMRoberta() throws {
    let settings = #"{"tokenizer_class": "XLMRobertaTokenizer", "extra_special_tokens": ["a"]}"#
    try inFolder(model: "t5", configuration: settings) { folder in
      let ids = try Tokenizer(contentsOf: folder).encode("a").ids
      #expect(ids == [0, 126, 2])
    }
  }

  @Test(arguments: [
    (#"{"tokenizer_class": "LlamaTokenizer"}"#, "unigram", "the tokenizer 'LlamaTokenizer' from raw files"),
    (#"{"tokenizer_class": "T5Tokenizer"}"#, "bpe", "T5Tokenizer with a model of type"),
    (#"{"tokenizer_class": "T5Tokenizer", "extra_ids": -1}"#, "t5", "extra_ids"),
    (#"{"tokenizer_class": "T5Tokenizer", "eos_token": "</x>"}"#, "t5", "</x>"),
    (#"{"tokenizer_class": "XLMRobertaTokenizer"}"#, "bpe", "XLMRobertaTokenizer with a model of type"),
    (#"{"tokenizer_class": "XLMRobertaTokenizer", "mask_token": null}"#, "t5", "mask_token"),
    (#"{"tokenizer_class": 5}"#, "t5", "tokenizer_class"),
  ])
  func isRefused(configuration: String, model: String, message: String) throws {
    try inFolder(model: model, configuration: configuration) { folder in
      let error = #expect(throws: ApusError.self) { try Tokenizer(contentsOf: folder) }
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
      #expect(error?.file != nil)
    }
  }

  /// Runs `body` with a new folder that holds a model and its configuration.
  private func inFolder(
    model: String, configuration: String?, _ body: (String) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(try SentencePieceFixtures.bytes(of: model)).write(
      to: folder.appendingPathComponent(
        configuration?.contains("XLM") == true ? "sentencepiece.bpe.model" : "spiece.model"))
    if let configuration {
      try Data(configuration.utf8).write(to: folder.appendingPathComponent("tokenizer_config.json"))
    }
    try body(folder.path)
  }
}
