import TensorCore

/// Lengths as the tokenizer's own files have them.
extension Tokenizer {
  /// A cut at the length that the model takes, at the end that the files name.
  /// - Parameters:
  ///   - length: ids at most, special tokens included; nil for what the files say.
  ///   - strategy: which text of a pair is cut.
  ///   - addingSpecialTokens: whether texts are encoded with the special tokens around them, which must have room.
  ///   - ofPairs: whether pairs are encoded, which have more special tokens than a text.
  /// - Throws: ``ApusError`` of kind `configuration` when no length is given and the files state none; of kind
  ///   `unsupportedModel` or `argument` when it leaves no room even for the special tokens around a text, or a pair.
  public func truncation(
    to length: Int? = nil, strategy: TruncationStrategy = .longestFirst, addingSpecialTokens: Bool = true,
    ofPairs: Bool = false
  ) throws(ApusError) -> Truncation {
    guard
      let room = length ?? configuration.maximumLength ?? configuration.truncation?.maximumLength
    else {
      throw ApusError(
        .configuration, "the tokenizer's files state no length", expected: "model_max_length",
        advice: "Give a length.")
    }
    if addingSpecialTokens {
      try requireSpecialTokens(fit: room, ofPairs: ofPairs, length == nil ? .unsupportedModel : .argument)
    }
    return Truncation(maximumLength: room, side: configuration.truncationSide, strategy: strategy)
  }

  /// Refuses a length that cuts special tokens, of which a model needs every one. transformers then cuts nothing at all.
  package func requireSpecialTokens(
    fit length: Int, ofPairs: Bool = false, _ kind: ApusError.Kind = .unsupportedModel
  ) throws(ApusError) {
    let count = ofPairs ? specialTokenCountOfPairs : specialTokenCount
    guard length < count else { return }
    throw ApusError(
      kind, "\(ofPairs ? "pairs of texts" : "texts") are cut to \(length) token\(length == 1 ? "" : "s")",
      expected: "at least \(count), the special tokens around \(ofPairs ? "a pair" : "a text")",
      advice: kind == .argument
        ? nil : "Correct model_max_length in tokenizer_config.json, or max_seq_length beside the modules.")
  }

  /// Filling up with the padding token that the files name, at the end that they name.
  /// - Parameters:
  ///   - length: the ids that a result has at least; nil for those of the longest of its batch.
  ///   - multiple: the length is rounded up to a multiple of this.
  /// - Throws: ``ApusError`` of kind `configuration` when the files name no padding token.
  public func padding(to length: Int? = nil, multiple: Int = 1) throws(ApusError) -> Padding {
    guard let id = configuration.paddingID ?? configuration.padding?.id else {
      throw ApusError(
        .configuration, "the tokenizer has no padding token", expected: "pad_token",
        advice: "Make a Padding with an id of your own.")
    }
    return Padding(
      length: length, id: id, tokenType: configuration.padding?.tokenType ?? 0,
      side: configuration.paddingSide, multiple: multiple)
  }
}
