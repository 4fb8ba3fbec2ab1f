/// How a network for texts takes two of them in one row of tokens.
package enum TextPairs: Sendable, Equatable {
  /// Not at all.
  case refused
  /// Told apart by the special tokens between them: types of tokens change nothing.
  case untyped
  /// Tokens have a type, of which the network knows so many.
  case typed(Int)
  /// As one text, which a template makes of them.
  case written(PairTemplate)

  /// Whether tokens may have other types than 0.
  package var hasTypes: Bool { if case .typed(let count) = self { count > 1 } else { false } }
}
