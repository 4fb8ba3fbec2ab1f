import ApusServing
import HTTPTypes
import Hummingbird

extension Dialect {
  static let textEmbeddings = Dialect(errors: TextEmbeddingsErrors(), home: "", takesEmptySegments: true)
}

/// The form of errors of Text Embeddings Inference.
struct TextEmbeddingsErrors: ErrorForm {
  let schema = Schema.object(["error": Schema.text, "error_type": Schema.text])

  func body(of failure: RequestFailure) -> JSONText {
    let type = failure.fault?.kind == .empty ? "Empty" : type(of: failure.error.kind)
    return ["error": .string(failure.error.message), "error_type": .string(type)]
  }

  func status(of failure: RequestFailure) -> HTTPResponse.Status {
    switch failure.error.kind {
    case .invalid where ![.syntax, .empty].contains(failure.fault?.kind): .unprocessableContent
    case .unsupported: .init(code: 424, reasonPhrase: "Failed Dependency")
    default: failure.usualStatus
    }
  }

  private func type(of kind: ServingError.Kind) -> String {
    switch kind {
    case .overloaded: "Overloaded"
    case .failed, .deadline, .cancelled: "Backend"
    case .unavailable: "Unhealthy"
    case .invalid, .unsupportedCoding, .notFound, .unsupported, .tooLarge: "Validation"
    }
  }
}
