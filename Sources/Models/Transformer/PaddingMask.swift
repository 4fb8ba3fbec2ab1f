import TensorCore

/// What a mask over padding does to what a network makes of texts.
package enum PaddingMask: Sendable, Equatable {
  /// It leaves out padding that the network attends else.
  case optional
  /// Nothing: no token ever attends padding.
  case always
  /// Nothing: the token that stands for a text does not see what is behind it.
  case withoutEffect
  /// There is no place for it.
  case refused

  /// - Throws: ``ApusError`` of kind `argument` when masking padding would change nothing, or cannot be done.
  package func requireChoice() throws(ApusError) {
    let problem: String
    let advice: String?
    switch self {
    case .optional: return
    case .always:
      problem = "there is no padding to mask: this model, as BERT, never attends it"
      advice = "Leave the option out: embeddings are those of masked padding."
    case .withoutEffect:
      problem =
        "masked padding makes no difference: this model, as CLIP, does not look behind the end of a text"
      advice = "Leave the option out: embeddings are the same with and without a mask."
    case .refused:
      problem = "padding cannot be masked: this model takes no mask"
      advice = nil
    }
    throw ApusError(.argument, problem, expected: "a SigLIP, which attends padding", advice: advice)
  }
}
