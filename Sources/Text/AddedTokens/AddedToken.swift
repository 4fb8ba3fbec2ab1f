import TensorCore

/// A token found in the text as it stands, before the model sees the rest.
struct AddedToken: Sendable, Equatable {
  var id: Int32
  var content: ExactText
  /// Only where no word goes on at either side.
  var isSingleWord = false
  /// Takes in the space before it.
  var stripsLeft = false
  /// Takes in the space after it.
  var stripsRight = false
  /// Looked for in the normalised text, in its own normalised form.
  var isNormalized = true
  /// Looked for in text at all; else it only has its id and its name.
  var isMatched = true
  /// Left out when decoding without special tokens.
  var isSpecial = false
}

extension AddedToken {
  /// A special token as transformers makes one of a text.
  init(special content: ExactText) {
    self.init(id: 0, content: content, isNormalized: false, isSpecial: true)
  }
}
