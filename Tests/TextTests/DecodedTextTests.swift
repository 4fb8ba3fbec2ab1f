import Foundation
import TestSupport
import Testing

@testable import Text

/// The text of ids is that of the class in transformers. What is expected is what `AutoTokenizer` of transformers 5.23.0
/// gives for the same files.
@Suite("Text of ids by the class of a tokenizer")
struct DecodedTextTests {
  private static let clipIDs: [Int32] = [
    558, 512, 81, 68, 324, 81, 68, 323, 66, 72, 81, 66, 75, 68, 338, 267, 72, 339, 6, 338, 66, 64, 69, 127,
    358, 559,
  ]
  private static let bertIDs: [Int32] = [
    2, 120, 46, 23, 11, 61, 61, 50, 41, 8, 61, 131, 42, 8, 61, 60, 46, 24, 44, 3,
  ]

  /// A model folder with other settings of its tokenizer.
  private func tokenizer(_ model: String, _ settings: String) throws -> Tokenizer {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(model))
    try folder.write("tokenizer_config.json", settings)
    return try Tokenizer(contentsOf: folder.path)
  }

  @Test("CLIP's ends of words are spaces", arguments: ["CLIPTokenizer", "CLIPTokenizerFast"])
  func clip(_ name: String) throws {
    let tokenizer = try tokenizer("clip", #"{"tokenizer_class": "\#(name)"}"#)
    #expect(tokenizer.encode("three red circles, it's café").ids == Self.clipIDs)
    #expect(tokenizer.decode(Self.clipIDs) == "three red circles , it 's café")
    #expect(
      tokenizer.decode(Self.clipIDs, skippingSpecialTokens: false)
        == "<|startoftext|>three red circles , it 's café <|endoftext|>")
    // What the text has of it was cut into other pieces.
    #expect(tokenizer.decode([558, 320, 27, 270, 342, 285, 321, 559]) == "a </ w > b")
    #expect(tokenizer.decode([]) == "")
  }

  @Test("a class that goes by tokenizer.json has its decoder alone")
  func clipFile() throws {
    let tokenizer = try tokenizer("clip", #"{"tokenizer_class": "PreTrainedTokenizerFast"}"#)
    #expect(tokenizer.decode(Self.clipIDs) == "three</w>red</w>circles</w>,</w>it</w>'s</w>café</w>")
  }

  @Test("a vocabulary of CLIP without other files has spaces too")
  func clipVocabulary() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "vocab.json", #"{"a": 0, "b": 1, "a</w>": 2, "b</w>": 3, "<|startoftext|>": 4, "<|endoftext|>": 5}"#)
    try folder.write("merges.txt", "#version: 0.2\n")
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(tokenizer.decode([0, 3, 2]) == "ab a")
    try folder.write("tokenizer_config.json", #"{"tokenizer_class": "CLIPTokenizer"}"#)
    #expect(
      try Tokenizer(contentsOf: folder.path).decode([4, 0, 3, 2, 5], skippingSpecialTokens: false)
        == "<|startoftext|>ab a <|endoftext|>")
  }

  @Test("spaces before punctuation go where the settings say so")
  func cleaning() throws {
    let plain = "it ' s good. do not, don ' t?"
    for (settings, expected) in [
      (#"{"tokenizer_class": "BertTokenizer"}"#, plain),
      (#"{"tokenizer_class": "BertTokenizer", "clean_up_tokenization_spaces": false}"#, plain),
      (#"{"tokenizer_class": "BertTokenizer", "clean_up_tokenization_spaces": null}"#, plain),
      (
        #"{"tokenizer_class": "BertTokenizer", "clean_up_tokenization_spaces": true}"#,
        "it's good. do not, don't?"
      ),
      (
        #"{"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": true}"#,
        "it's good. do not, don't?"
      ),
    ] {
      let tokenizer = try tokenizer("bert-sentence", settings)
      #expect(tokenizer.encode("it ' s good . Do not, don't ?").ids == Self.bertIDs)
      #expect(tokenizer.decode(Self.bertIDs) == expected, "\(settings)")
    }
  }

  @Test("spaces of byte-pair encoding stay, whatever the settings say")
  func cleaningOfPairs() throws {
    let tokenizer = try tokenizer(
      "roberta-classifier",
      #"{"tokenizer_class": "RobertaTokenizer", "clean_up_tokenization_spaces": true}"#)
    #expect(tokenizer.decode(tokenizer.encode("it 's good .").ids) == "it 's good .")
  }

  @Test("a class has its own decoder, whatever the file says")
  func decoderOfClass() throws {
    for (model, name, text, decoder, expected) in [
      ("roberta-classifier", "RobertaTokenizer", "it 's good .", "null", "it 's good ."),
      (
        "bert-sentence", "BertTokenizer", "it 's good .",
        ###"{"type": "WordPiece", "prefix": "##", "cleanup": false}"###, "it ' s good."
      ),
    ] {
      let folder = try TemporaryFolder(copying: Checkout.modelFolder(model))
      let file = URL(fileURLWithPath: folder.path + "/tokenizer.json")
      var root = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
      root["decoder"] = try JSONSerialization.jsonObject(with: Data(decoder.utf8), options: .fragmentsAllowed)
      try JSONSerialization.data(withJSONObject: root).write(to: file)
      try folder.write("tokenizer_config.json", #"{"tokenizer_class": "\#(name)"}"#)
      let tokenizer = try Tokenizer(contentsOf: folder.path)
      #expect(tokenizer.decode(tokenizer.encode(text).ids) == expected, "\(name)")
    }
  }

  @Test("the first space stays where the class puts none before a text", arguments: [true, false])
  func firstSpace(_ prepends: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("sentencepiece.bpe.model", SentencePieceFixtures.bytes(of: "unigram"))
    try folder.write(
      "tokenizer_config.json",
      #"{"tokenizer_class": "XLMRobertaTokenizer", "add_prefix_space": \#(prepends)}"#)
    let tokenizer = try Tokenizer(contentsOf: folder.path)
    #expect(tokenizer.decode([290, 308]) == (prepends ? "" : " ") + "य नमस्ते")
  }
}
