import TensorCore

/// Lengths as the tokenizer's own files have them.
extension Tokenizer {
  /// A cut at the length that the model takes, at the end that the files name.
  /// - Parameters:
  ///   - length: ids at most, special tokens included; nil for what the files say.
  ///   - strategy: which text of a pair is cut.
  /// - Throws: ``ApusError`` of kind `configuration` when no length is given and the files state none.
  public func truncation(
    to length: Int? = nil, strategy: TruncationStrategy = .longestFirst
  ) throws(ApusError) -> Truncation {
    guard
      let length = length ?? configuration.maximumLength ?? configuration.truncation?.maximumLength
    else {
      throw ApusError(
        .configuration, "the tokenizer's files state no length", expected: "model_max_length",
        advice: "Give a length.")
    }
    return Truncation(maximumLength: length, side: configuration.truncationSide, strategy: strategy)
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
