import Models
import TensorCore
import Text

extension TextPipeline {
  /// Whether the network takes two texts in one row of tokens.
  package var takesPairs: Bool { runner.pairs != .refused }

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a network that takes no pairs, or a length that cuts the special
  ///   tokens around them.
  package func checkPairs() throws(ApusError) {
    guard takesPairs else {
      throw ApusError(
        .unsupportedModel, "the model takes no pairs of texts", expected: "one of BERT's family")
    }
    if case .written = runner.pairs { return }
    try tokenizer.requireSpecialTokens(fit: truncation.maximumLength, ofPairs: true)
  }

  /// The tokens of a pair as the model takes them: special ones included, the longer text cut first where both are too
  /// long together, with the types that the model is told.
  /// - Parameter side: the end that is cut off a text; nil for the one that the tokenizer's files name.
  /// - Throws: ``ApusError``: kind `argument` for a pair without any words, `unsupportedModel` or `configuration` for a
  ///   model that takes no pairs, or whose files do not say how.
  package func encode(_ pair: TextPair, cutting side: TextSide? = nil) throws(ApusError) -> Encoding {
    try checkPairs()
    guard ![pair.first, pair.second].allSatisfy({ $0.allSatisfy(\.isWhitespace) }) else {
      throw ApusError(.argument, "both texts of the pair are empty", expected: "words")
    }
    if case .written(let template) = runner.pairs { return try encode(pair, in: template, cutting: side) }
    var truncation = truncation(side)
    truncation.strategy = pair.cuts
    let encoding = tokenizer.encode(
      preparation(pair.first), preparation(pair.second), truncation: truncation, padding: padding)
    return try typed(encoding)
  }

  /// The tokens of the text that a template makes of a pair. Of one that is cut the end of the template is kept, as the
  /// answer comes behind it.
  private func encode(
    _ pair: TextPair, in template: PairTemplate, cutting side: TextSide?
  ) throws(ApusError) -> Encoding {
    func encoding(_ query: String, _ document: String) -> Encoding {
      let instruction = preparation.prompt.isEmpty ? nil : preparation.prompt
      let text = template.text(instruction: instruction, query: query, document: document)
      return tokenizer.encode(text, addingSpecialTokens: false, truncation: truncation(side))
    }
    let whole = encoding(pair.first, pair.second)
    guard whole.wasTruncated, truncation(side).side == .right else { return whole }
    // What two texts with nothing in common end with is the template's.
    let texts = ["0", "1 2 3 4"].map {
      tokenizer.encode(template.text(instruction: nil, query: $0, document: $0), addingSpecialTokens: false)
        .ids
    }
    let end = zip(texts[0].reversed(), texts[1].reversed()).prefix { $0 == $1 }.map(\.0)
    guard end.count < whole.ids.count else {
      throw ApusError(
        .configuration, "texts are cut to \(whole.ids.count) tokens",
        expected: "more than the template's end, \(end.count)",
        file: runner.path)
    }
    return whole.ending(in: end.reversed())
  }

  /// The encoding with the types that transformers would give the model.
  private func typed(_ encoding: Encoding) throws(ApusError) -> Encoding {
    guard case .typed(let count) = runner.pairs, let last = encoding.tokenTypes.max(), last > 0 else {
      return encoding
    }
    guard let givesTypes = tokenizer.configuration.givesTokenTypes else {
      throw ApusError(
        .configuration, "does not say whether the model is given the types of a pair's tokens",
        expected: "model_input_names with or without token_type_ids", at: "tokenizer_config.json",
        advice:
          "Versions of transformers differ for this class of tokenizers: state what the model was trained with."
      )
    }
    guard givesTypes else { return encoding.withoutTypes() }
    guard last < count else {
      throw ApusError(
        .unsupportedModel, "the tokenizer gives tokens of a pair type \(last)",
        expected: count == 1 ? "0: the model's table of types has one row" : "0 or 1", at: "type_vocab_size")
    }
    return encoding
  }
}
