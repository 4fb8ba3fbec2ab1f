extension Dialect {
  static let ollama = Dialect(errors: OllamaErrors(), takesEmptySegments: true)
}

/// Ollama's form of errors.
struct OllamaErrors: ErrorForm {
  let schema = Schema.object(["error": Schema.text])

  func body(of failure: RequestFailure) -> JSONText { ["error": .string(failure.error.message)] }
}
