import ApusServing
import FoundationEssentials
import HTTPTypes
import Hummingbird

/// The protocol that a client speaks, by the path that it asks for: each has a form of its own for errors.
enum Dialect: Sendable {
  case openAI, inferenceProtocol, ollama, textEmbeddings, native

  init(path: String) {
    self =
      switch path.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "/") {
      case let path where path.hasPrefix("v1"): .openAI
      case let path where path.hasPrefix("v2"): .inferenceProtocol
      case "api/embed", "api/embeddings", "api/tags", "api/show", "api/ps", "api/version": .ollama
      case let path where path.hasPrefix("api"): .native
      default: .textEmbeddings
      }
  }

  /// The answer that says what is wrong.
  func response(_ error: ServingError, id: String) -> Response {
    let status = status(of: error.kind)
    var response = Response.json(body(of: error, status, id: id), status: status)
    if case .overloaded(let time) = error.kind {
      // In whole seconds, so that nobody comes back too early.
      response.headers[.retryAfter] = String(Int((time / .seconds(1)).rounded(.up)))
    }
    return response
  }

  private func status(of kind: ServingError.Kind) -> HTTPResponse.Status {
    switch kind {
    case .invalid: self == .textEmbeddings ? .unprocessableContent : .badRequest
    case .notFound: .notFound
    case .unsupported:
      self == .textEmbeddings ? .init(code: 424, reasonPhrase: "Failed Dependency") : .badRequest
    case .tooLarge: .contentTooLarge
    case .overloaded: .tooManyRequests
    case .unavailable, .deadline, .cancelled: .serviceUnavailable
    case .failed: .internalServerError
    }
  }

  private func body(
    of error: ServingError, _ status: HTTPResponse.Status, id: String
  ) -> [String: ErrorField] {
    switch self {
    case .openAI:
      [
        "error": .fields([
          "message": .text(error.message), "type": .text(openAIType(of: error.kind)), "param": .null,
          "code": error.kind == .notFound ? .text("model_not_found") : .null,
        ])
      ]
    case .textEmbeddings:
      ["error": .text(error.message), "error_type": .text(textEmbeddingsType(of: error.kind))]
    case .inferenceProtocol, .ollama: ["error": .text(error.message)]
    case .native: ["error": .text(error.message), "request_id": .text(id)]
    }
  }

  private func openAIType(of kind: ServingError.Kind) -> String {
    switch kind {
    case .overloaded: "rate_limit_exceeded"
    case .failed, .unavailable, .deadline, .cancelled: "server_error"
    case .invalid, .notFound, .unsupported, .tooLarge: "invalid_request_error"
    }
  }

  private func textEmbeddingsType(of kind: ServingError.Kind) -> String {
    switch kind {
    case .overloaded: "Overloaded"
    case .failed, .deadline, .cancelled: "Backend"
    case .unavailable: "Unhealthy"
    case .invalid, .notFound, .unsupported, .tooLarge: "Validation"
    }
  }
}

/// A value in the body of an error.
private enum ErrorField: Encodable {
  case text(String)
  case null
  case fields([String: ErrorField])

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .null: try container.encodeNil()
    case .fields(let fields): try container.encode(fields)
    }
  }
}
