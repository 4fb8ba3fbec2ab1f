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
    for (family, row) in [
      ("BertTokenizer", TokenizerClass.bert), ("RobertaTokenizer", .roberta), ("CLIPTokenizer", .clip),
      ("XLMRobertaTokenizer", .xlmRoberta), ("AlbertTokenizer", .albert), ("DebertaV2Tokenizer", .deBERTa),
    ] {
      try add(family) { (settings) throws(ApusError) in
        row.passOverOtherKeys(settings)
        _ = (try row.normalizer(settings), try row.cuts(settings), try settings.goesByFile())
        _ = try settings.offsetTrimming(row)
      }
    }
    try add("other classes") { (_) throws(ApusError) in }
  }
}
