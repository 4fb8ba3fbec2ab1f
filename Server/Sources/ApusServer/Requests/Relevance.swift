import CLibrary

/// What answers make of the logits of re-rankers.
enum Relevance {
  /// Places by their logits, the highest first; of equal ones the first.
  static func order(of logits: [Float]) -> [Int] {
    logits.indices.sorted { (-logits[$0], $0) < (-logits[$1], $1) }
  }

  /// The logistic function.
  static func probability(of logit: Float) -> Float { Float(1 / (1 + exp(-Double(logit)))) }
}
