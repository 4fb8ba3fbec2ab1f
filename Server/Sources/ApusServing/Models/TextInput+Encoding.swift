import Apus

extension TextInput {
  /// The client's own tokens without those that are too many, whatever they stand for; nil where none are.
  /// - Parameter side: the end that is cut off; nil for the last.
  func shortened(to length: Int, cutting side: TextSide?) -> TextInput? {
    guard case .tokens(let ids) = self, ids.count > length else { return nil }
    return .tokens(Array(side == .left ? ids.suffix(length) : ids.prefix(length)))
  }

  /// The tokens as the model takes them.
  /// - Parameter side: the end that is cut off; nil for the one that the model's files name.
  func encoding(for model: TextClassifier, cutting side: TextSide?) throws(ApusError) -> Encoding {
    switch self {
    case .text(let text): try model.encode(text, cutting: side)
    case .pair(let pair): try model.encode(pair, cutting: side)
    case .tokens(let ids): try model.encode(tokens: ids)
    }
  }

  /// - Throws: ``ApusError`` of kind `argument` for a pair: vectors are of one text.
  func encoding(for model: TextEmbedder, cutting side: TextSide?) throws(ApusError) -> Encoding {
    switch self {
    case .text(let text): model.encode(text, cutting: side)
    case .pair: throw ApusError(.argument, "a pair of texts", expected: "one text for a vector")
    case .tokens(let ids): try model.encode(tokens: ids)
    }
  }
}
