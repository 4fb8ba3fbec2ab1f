/// The parts of a regular expression.
indirect enum Expression: Sendable {
  /// One character of a class.
  case character(CharacterClass)
  case sequence([Expression])
  /// The first that lets the whole match.
  case alternatives([Expression])
  /// So many times at least and at most, as often as possible, or as seldom.
  case repeated(Expression, minimum: Int, maximum: Int?, isLazy: Bool)
  /// Whether a character of the class follows; the end is none.
  case lookahead(CharacterClass, isNegative: Bool)

  /// Whether it can match nothing.
  var canBeEmpty: Bool {
    switch self {
    case .character: false
    case .sequence(let parts): parts.allSatisfy(\.canBeEmpty)
    case .alternatives(let parts): parts.contains(where: \.canBeEmpty)
    case .repeated(let part, let minimum, _, _): minimum == 0 || part.canBeEmpty
    case .lookahead: true
    }
  }
}
