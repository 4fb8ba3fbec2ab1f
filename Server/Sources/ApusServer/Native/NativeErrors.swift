extension Dialect {
  /// Apus' own.
  static let native = Dialect(errors: NativeErrors(), home: "api")
  /// That of what the server itself is asked: its errors are those of Text Embeddings Inference, which has some of the routes.
  static let server = Dialect(errors: TextEmbeddingsErrors())
}

/// Apus' own form of errors.
struct NativeErrors: ErrorForm {
  let schema = Schema.object(["error": Schema.text, "request_id": Schema.text])

  func body(of failure: RequestFailure) -> JSONText {
    ["error": .string(failure.error.message), "request_id": .string(failure.id)]
  }
}
