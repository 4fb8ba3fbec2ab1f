import TensorCore
import TestSupport
import Testing
import Text

/// Which file is at fault where a vocabulary lacks a token that stands around every text.
@Suite struct MissingSpecialTokenTests {
  /// A missing special token is the fault of the file that names it; advised is what no file says.
  @Test(
    arguments: [
      (nil, nil, "vocab.txt", "Give tokenizer_config.json"),
      ("{}", nil, "tokenizer_config.json", "Name it there"),
      (#"{"cls_token": "[NONE]"}"#, nil, "tokenizer_config.json", nil),
      (#"{"cls_token": null}"#, nil, "tokenizer_config.json", nil),
      (nil, #"{"cls_token": "[NONE]"}"#, "special_tokens_map.json", nil),
    ] as [(String?, String?, String, String?)])
  func theFileAtFaultIsNamed(
    _ settings: String?, _ map: String?, _ file: String, _ advice: String?
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("config.json", #"{"model_type": "electra"}"#)
    try folder.write("vocab.txt", "[PAD]\n[UNK]\n[SEP]\n[MASK]\nhello\n")
    if let settings { try folder.write("tokenizer_config.json", settings) }
    if let map { try folder.write("special_tokens_map.json", map) }
    let error = try #require(throws: ApusError.self) { try Tokenizer(contentsOf: folder.path) }
    #expect(error.location == "cls_token" && error.file == "\(folder.path)/\(file)", "\(error)")
    if let advice {
      #expect(error.advice?.hasPrefix(advice) == true, "\(error)")
    } else {
      #expect(error.advice == nil, "\(error)")
    }
  }
}
