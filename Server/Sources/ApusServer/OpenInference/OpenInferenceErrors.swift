extension Dialect {
  static let openInference = Dialect(errors: OpenInferenceErrors(), home: "v2")
}

/// The form of errors of the Open Inference Protocol.
struct OpenInferenceErrors: ErrorForm {
  let schema = Schema.object(["error": Schema.text])

  func body(of failure: RequestFailure) -> JSONText { ["error": .string(failure.error.message)] }
}
