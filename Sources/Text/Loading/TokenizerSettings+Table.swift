import Formats
import TensorCore

extension TokenizerConfiguration {
  /// Adds the keys of `tokenizer_config.json` to a table, by reading a file that names tokens and says nothing else.
  package static func addKeys(to table: inout ConfigurationTable) throws(ApusError) {
    let names = TokenizerSettings.tokenNames.sorted().map { "\"\($0)\": \"\"" }.joined(separator: ", ")
    func add(
      _ family: String, _ read: (TokenizerSettings) throws(ApusError) -> Void
    ) throws(ApusError) {
      let reader = try ConfigurationReader(sample: "{\(names), \"extra_special_tokens\": [\"\"]}")
      try read(try TokenizerSettings(reader, nil))
      table.add(reader, file: "tokenizer_config.json", family: family)
    }
    try add("BertTokenizer") { (settings) throws(ApusError) in _ = try settings.bertNormalizer() }
    try add("RobertaTokenizer") { (settings) throws(ApusError) in _ = try settings.byteLevel() }
    try add("AlbertTokenizer") { (settings) throws(ApusError) in
      _ = (try settings.albertSteps(), try settings.prepending())
    }
    try add("DebertaV2Tokenizer") { (settings) throws(ApusError) in
      _ = (try settings.deBERTaSteps(), try settings.deBERTaWords())
    }
    try add("other classes") { (_) throws(ApusError) in }
  }
}
