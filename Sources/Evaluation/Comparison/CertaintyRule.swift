/// By what a model itself calls its answers uncertain, as its metadata say or the usual threshold is.
struct CertaintyRule: Sendable, Hashable {
  /// The score below which an answer is uncertain; nil where scores do not say how sure the model is.
  var lowestScore: Float?
  /// The novelty above which a picture is foreign; nil where the model carries no rejection.
  var noveltyThreshold: Float?

  /// Whether it calls any answer uncertain.
  var isAny: Bool { (lowestScore ?? 0) > 0 || noveltyThreshold != nil }
}
