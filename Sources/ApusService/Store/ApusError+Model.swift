import TensorCore

extension ApusError {
  /// An error with the model that it concerns, and what became of it. Cancelling is no failure of the model.
  static func model(_ name: String, _ reason: ModelFailure.Reason, _ cause: ApusError) -> ApusError {
    guard cause.kind != .cancelled, cause.modelFailure == nil else { return cause }
    var error = cause
    error.modelFailure = ModelFailure(name, reason)
    return error
  }

  /// That there is no memory for a model, in bytes.
  static func noMemory(_ name: String, needed: Int, available: Int, of limit: Int) -> ApusError {
    let limited =
      needed > limit
      ? "Raise the limit of all models together, \(Setting.byteLimit), or open this one in a precision with fewer bits."
      : "Let go of models that are not needed, or open this one in a precision with fewer bits."
    return model(
      name, .insufficientMemory(needed: needed, available: available),
      ApusError(
        .resources, "it takes \(needed.inMegabytes)",
        expected: "at most the \(available.inMegabytes) that can be had of the store's \(limit.inMegabytes)",
        advice: limited))
  }

  /// Whether memory is what is missing.
  var isOfMemory: Bool {
    if case .insufficientMemory = modelFailure?.reason { true } else { false }
  }

  /// Adds the model to a run's error, except for faults of the caller's input.
  static func run(_ name: String, _ cause: ApusError) -> ApusError {
    switch cause.kind {
    case .argument, .image: return model(name, .invalidInput, cause)
    // The picture's file, say, which the error names.
    case .file: return model(name, .invalidInput, cause)
    default: return model(name, .inferenceFailed, cause)
    }
  }
}
