/// How a recurrent layer makes a new state of its last one and of the sums of its gates.
package enum RecurrentCell: Hashable, Sendable {
  /// Gates i, o, f, c: `C = f ⊙ C + i ⊙ c`, `H = o ⊙ h(C)`.
  /// - Parameter couplesGates: whether f is `1 − i`.
  case longShortTerm(couplesGates: Bool)
  /// Gates z, r, h: `H = (1 − z) ⊙ h + z ⊙ H`.
  /// - Parameter resetsProduct: whether r is multiplied with the product of the state, and not with the state before.
  case gated(resetsProduct: Bool)
  /// One gate, which is the new state.
  case simple

  /// Gates, and with that columns for each element of the state.
  package var gates: Int {
    switch self {
    case .longShortTerm: 4
    case .gated: 3
    case .simple: 1
    }
  }

  /// Functions that it takes.
  package var activationCount: Int {
    switch self {
    case .longShortTerm: 3
    case .gated: 2
    case .simple: 1
    }
  }

  /// The gates whose sums are made together, in turn.
  var products: [Range<Int>] {
    if case .gated = self { [0..<2, 2..<3] } else { [0..<gates] }
  }

  /// Whether there is a memory beside the state.
  package var hasMemory: Bool { if case .longShortTerm = self { true } else { false } }
}
