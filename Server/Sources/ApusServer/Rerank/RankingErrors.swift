extension Dialect {
  /// That of Cohere and of Jina.
  static let ranking = Dialect(errors: RankingErrors(), takesEmptySegments: true)
}

/// A form of errors of which Cohere's clients read the message, Jina's the detail.
struct RankingErrors: ErrorForm {
  let schema = Schema.object(["id": Schema.text, "message": Schema.text, "detail": Schema.text])

  func body(of failure: RequestFailure) -> JSONText {
    let message = JSONText.string(failure.error.message)
    return ["id": .string(failure.id), "message": message, "detail": message]
  }
}
