import ApusServing

extension Dialect {
  static let openAI = Dialect(errors: OpenAIErrors(), home: "v1", takesEmptySegments: true)
}

/// OpenAI's form of errors.
struct OpenAIErrors: ErrorForm {
  let schema = Schema.object([
    "error": Schema.object([
      "message": Schema.text, "type": Schema.text, "param": Schema.optional(Schema.text),
      "code": Schema.optional(Schema.text),
    ])
  ])

  func body(of failure: RequestFailure) -> JSONText {
    [
      "error": [
        "message": .string(failure.error.message), "type": .string(type(of: failure.error.kind)),
        "param": .optional(failure.fault?.field), "code": code(of: failure),
      ]
    ]
  }

  /// Clients look for the code of models that are missing.
  private func code(of failure: RequestFailure) -> JSONText {
    guard failure.error.kind == .notFound else { return nil }
    return failure.isOfUnknownAddress ? "unknown_url" : "model_not_found"
  }

  private func type(of kind: ServingError.Kind) -> String {
    switch kind {
    case .overloaded: "rate_limit_exceeded"
    case .failed, .unavailable, .deadline, .cancelled: "server_error"
    case .invalid, .unsupportedCoding, .notFound, .unsupported, .tooLarge: "invalid_request_error"
    }
  }
}
