import Foundation
import FuzzBodies
import TensorCore
import TestSupport
import Testing

@testable import Text

@Suite("Malformed tokenizer files are refused, with the place and the reason")
struct MalformedTokenizerTests {
  /// A small sound file with one part replaced.
  private static func file(
    model: String =
      #"{"type":"BPE","unk_token":null,"vocab":{"a":0,"b":1,"ab":2,"[CLS]":3},"merges":["a b"]}"#,
    added: String = "[]", normalizer: String = "null", preTokenizer: String = "null",
    postProcessor: String = "null", decoder: String = "null", more: String = ""
  ) -> String {
    """
    {"version":"1.0","truncation":null,"padding":null,"added_tokens":\(added),"normalizer":\(normalizer),
    "pre_tokenizer":\(preTokenizer),"post_processor":\(postProcessor),"decoder":\(decoder),"model":\(model)\(more)}
    """
  }

  private static func bpe(_ vocabulary: String, _ merges: String, _ more: String = "") -> String {
    file(model: #"{"type":"BPE","vocab":\#(vocabulary),"merges":\#(merges)\#(more)}"#)
  }

  private static func token(_ id: String, _ content: String, _ more: String = "") -> String {
    #"{"id":\#(id),"content":"\#(content)"\#(more)}"#
  }

  /// Each file with a part of what its error says.
  static let files: [(name: String, text: String, says: String)] = [
    ("empty", "", "the file ends"), ("no object", "[]", "an object"),
    ("two values", "{} {}", "end of the file"),
    ("no model", #"{"version":"1.0"}"#, "model"), ("model is a list", #"{"model":[]}"#, "model"),
    ("other version", file(more: #","version":"2.0""#), "twice"),
    ("version", #"{"version":"2.0","model":{"type":"BPE","vocab":{},"merges":[]}}"#, "1.0"),
    ("unknown model", file(model: #"{"type":"WordLevel","vocab":{"a":0}}"#), "WordLevel"),
    ("no vocabulary", file(model: #"{"type":"BPE","merges":[]}"#), "model.vocab"),
    ("no merges", file(model: #"{"type":"BPE","vocab":{}}"#), "model.merges"),
    (
      "vocabulary of BPE is a list", file(model: #"{"type":"BPE","vocab":[["a",0]],"merges":[]}"#),
      "model.vocab"
    ),
    ("text for an id", bpe(#"{"a":"0"}"#, "[]"), "line 2"),
    ("negative id", bpe(#"{"a":-1}"#, "[]"), "line 2"),
    ("fraction for an id", bpe(#"{"a":0.5}"#, "[]"), "line 2"),
    ("huge id", bpe(#"{"a":4294967295}"#, "[]"), "gaps"),
    ("id of 20 digits", bpe(#"{"a":12345678901234567890}"#, "[]"), "18 digits"),
    ("equal ids", bpe(#"{"a":0,"b":0}"#, "[]"), "the id 0"),
    ("equal pieces", bpe(#"{"a":0,"a":1}"#, "[]"), "twice"),
    ("merge without space", bpe(#"{"a":0}"#, #"["a"]"#), "pair"),
    ("merge of three", bpe(#"{"a":0}"#, #"["a a a"]"#), "pair"),
    ("merge of one in a list", bpe(#"{"a":0}"#, #"[["a"]]"#), "fewer"),
    ("merge of three in a list", bpe(#"{"a":0}"#, #"[["a","a","a"]]"#), "more"),
    ("merge of a number", bpe(#"{"a":0}"#, "[1]"), "text"),
    ("merge of an unknown piece", bpe(#"{"a":0,"aa":1}"#, #"["a a","a x"]"#), "model.merges[1]"),
    ("merge whose whole is unknown", bpe(#"{"a":0,"b":1}"#, #"["a b"]"#), "'ab'"),
    (
      "merge without continuation",
      bpe(#"{"a":0,"b":1,"ab":2}"#, #"["a b"]"#, #","continuing_subword_prefix":"@@""#), "merges[0]"
    ),
    ("dropout", bpe(#"{"a":0}"#, "[]", #","dropout":0.1"#), "dropout"),
    ("unknown piece of BPE", bpe(#"{"a":0}"#, "[]", #","unk_token":"u""#), "unk_token"),
    ("byte fallback that is no flag", bpe(#"{"a":0}"#, "[]", #","byte_fallback":"yes""#), "byte_fallback"),
    (
      "WordPiece without unknown piece",
      file(
        model:
          #"{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"@@","max_input_chars_per_word":100,"vocab":{"a":0}}"#
      ),
      "[UNK]"
    ),
    ("WordPiece without settings", file(model: #"{"type":"WordPiece","vocab":{"a":0}}"#), "model.unk_token"),
    (
      "Unigram with an id out of range", file(model: #"{"type":"Unigram","unk_id":1,"vocab":[["a",0]]}"#),
      "unk_id"
    ),
    (
      "Unigram with a text for a score", file(model: #"{"type":"Unigram","unk_id":0,"vocab":[["a","0"]]}"#),
      "score"
    ),
    (
      "Unigram with a score of a huge exponent",
      file(model: #"{"type":"Unigram","unk_id":0,"vocab":[["a",1e-9223372036854775808]]}"#), "score"
    ),
    (
      "Unigram with a score over the range",
      file(model: #"{"type":"Unigram","unk_id":0,"vocab":[["a",1e999]]}"#), "score"
    ),
    ("added token with another id", file(added: "[\(token("1", "a"))]"), "added_tokens[0].id"),
    ("added token out of order", file(added: "[\(token("9", "x"))]"), "the next id of added tokens"),
    ("added tokens of one id", file(added: "[\(token("4", "x")),\(token("4", "y"))]"), "added_tokens[1].id"),
    ("added token without text", file(added: #"[{"id":4}]"#), "added_tokens[0].content"),
    ("added token with a text for a flag", file(added: "[\(token("4", "x", #","lstrip":"no""#))]"), "lstrip"),
    ("unknown normalizer", file(normalizer: #"{"type":"Shout"}"#), "Shout"),
    ("normalizer without type", file(normalizer: "{}"), "normalizer.type"),
    ("sequence of nothing", file(normalizer: #"{"type":"Sequence"}"#), "normalizer.normalizers"),
    (
      "unknown normalizer in a sequence",
      file(normalizer: #"{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"X"}]}"#), "normalizers[1]"
    ),
    (
      "expression that is not supported",
      file(normalizer: #"{"type":"Replace","pattern":{"Regex":"(?<=a)b"},"content":""}"#), "(?<=a)b"
    ),
    (
      "empty text to replace", file(normalizer: #"{"type":"Replace","pattern":{"String":""},"content":"x"}"#),
      "String"
    ),
    ("no base64", file(normalizer: #"{"type":"Precompiled","precompiled_charsmap":"*"}"#), "base64"),
    (
      "short character map", file(normalizer: #"{"type":"Precompiled","precompiled_charsmap":"AAAA"}"#),
      "charsmap"
    ),
    ("unknown pre-tokenizer", file(preTokenizer: #"{"type":"UnicodeScripts"}"#), "UnicodeScripts"),
    (
      "unknown behavior",
      file(preTokenizer: #"{"type":"Split","pattern":{"String":"a"},"behavior":"Lost","invert":false}"#),
      "Lost"
    ),
    (
      "mark of two characters", file(preTokenizer: #"{"type":"Metaspace","replacement":"ab"}"#),
      "one character"
    ),
    (
      "contradiction",
      file(
        preTokenizer:
          #"{"type":"Metaspace","replacement":"_","add_prefix_space":false,"prepend_scheme":"always"}"#),
      "never"
    ),
    ("unknown post-processor", file(postProcessor: #"{"type":"X"}"#), "X"),
    (
      "special token without id",
      file(postProcessor: #"{"type":"BertProcessing","sep":["a"],"cls":["b",1]}"#), "post_processor.sep"
    ),
    (
      "template of an unknown token",
      file(
        postProcessor:
          #"{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"X","type_id":0}}],"pair":[],"special_tokens":{}}"#
      ),
      "single[0]"
    ),
    (
      "template of an unknown sequence",
      file(
        postProcessor:
          #"{"type":"TemplateProcessing","single":[{"Sequence":{"id":"C","type_id":0}}],"pair":[],"special_tokens":{}}"#
      ),
      "single[0]"
    ),
    ("unknown decoder", file(decoder: #"{"type":"CTC"}"#), "CTC"),
    (
      "nesting", file(normalizer: String(repeating: #"{"type":"Sequence","normalizers":["#, count: 80)),
      "deep"
    ),
  ]

  @Test("each file names what is wrong with it", arguments: files.map(\.name))
  func refused(name: String) throws {
    let file = try #require(Self.files.first { $0.name == name })
    let error = #expect(throws: ApusError.self) {
      try Tokenizer(tokenizerJSON: Array(file.text.utf8), file: "tokenizer.json")
    }
    let description = "\(try #require(error))"
    #expect(description.contains(file.says), "\(description)")
    #expect(error?.file == "tokenizer.json")
  }

  @Test("the sound file is read")
  func sound() throws {
    let tokenizer = try Tokenizer(tokenizerJSON: Array(Self.file().utf8), file: "tokenizer.json")
    #expect(tokenizer.encode("abba").ids == [2, 1, 0])
  }

  @Test("any bytes at all give a result or an error")
  func anyBytes() {
    #expect(Fuzzing.smallTokenizers.count == 3, "the tokenizers of the fuzzer are read")
    #expect(Fuzzing.splitting(by: #"a+?\s|[\n"]"#) != nil, "an expression reaches the tokenizer")
    var random = SeededRandom()
    for _ in 0..<100 { Fuzzing.tokenizer(random.bytes(Int.random(in: 0...200, using: &random))) }
  }

  @Test("the fuzzer begins with sound files")
  func seeds() throws {
    let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../Fuzz/Seeds/tokenizers")
      .standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count > 10)
    for name in names {
      let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
      #expect(throws: Never.self) { try Tokenizer(tokenizerJSON: bytes, file: name) }
    }
  }

  @Test("a file cut off anywhere is refused", arguments: ["bert_cased", "joined_unknown"])
  func truncated(name: String) throws {
    let bytes = try TokenizerFixture.tokenizerJSON(name)
    for length in stride(from: 0, to: bytes.count, by: 97) {
      #expect(throws: ApusError.self) {
        try Tokenizer(tokenizerJSON: Array(bytes[..<length]), file: "tokenizer.json")
      }
    }
  }

  @Test(
    "a file with a byte changed gives a result or an error", arguments: ["bert_cased", "first_metaspace"])
  func changed(name: String) throws {
    var random = SeededRandom()
    let original = try TokenizerFixture.tokenizerJSON(name)
    for _ in 0..<60 {
      var bytes = original
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      guard let tokenizer = try? Tokenizer(tokenizerJSON: bytes, file: "tokenizer.json") else { continue }
      _ = tokenizer.decode(tokenizer.encode("a Text, with 12 words.").ids)
    }
  }
}
