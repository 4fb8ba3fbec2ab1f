import ApusServing
import HTTPTypes
import Hummingbird

/// The protocol that a client speaks, by the path that it asks for: each has a form of its own for errors.
enum Dialect: Sendable {
  case openAI, inferenceProtocol, ollama, textEmbeddings, ranking, native

  init(path: String) {
    self =
      switch path.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "/") {
      case "v1/rerank", "v2/rerank": .ranking
      case let path where path.hasPrefix("v1"): .openAI
      case let path where path.hasPrefix("v2"): .inferenceProtocol
      case "api/embed", "api/embeddings", "api/tags", "api/show", "api/ps", "api/version": .ollama
      case let path where path.hasPrefix("api"): .native
      default: .textEmbeddings
      }
  }

  /// The answer that says what is wrong.
  func response(_ error: ServingError, id: String) -> Response { response(error, nil, id: id) }

  /// The answer to a request for an address at which there is nothing.
  func response(toUnknown address: String, id: String) -> Response {
    let error = ServingError(.notFound, "There is nothing at \(address).")
    // Clients look for the code of models that are missing.
    guard self == .openAI else { return response(error, id: id) }
    let body = openAIBody(error, field: nil, code: "unknown_url")
    return .encodedJSON(body.bytes, status: .notFound)
  }

  /// The answer to a request that is wrong by itself.
  func response(_ fault: RequestFault, id: String) -> Response {
    response(ServingError(fault.kind == .tooLarge ? .tooLarge : .invalid, fault.message), fault, id: id)
  }

  private func response(_ error: ServingError, _ fault: RequestFault?, id: String) -> Response {
    var response = Response.encodedJSON(
      body(of: error, fault, id: id).bytes, status: status(of: error.kind, fault?.kind))
    if case .overloaded(let time) = error.kind {
      // In whole seconds, so that nobody comes back too early.
      response.headers[.retryAfter] = String(Int((time / .seconds(1)).rounded(.up)))
    }
    if error.kind == .unsupportedCoding { response.headers[.acceptEncoding] = Inflation.codings }
    return response
  }

  private func status(of kind: ServingError.Kind, _ fault: RequestFault.Kind?) -> HTTPResponse.Status {
    switch kind {
    case .invalid where self == .textEmbeddings && fault != .syntax && fault != .empty: .unprocessableContent
    case .invalid: .badRequest
    case .unsupportedCoding: .unsupportedMediaType
    case .notFound: .notFound
    case .unsupported:
      self == .textEmbeddings ? .init(code: 424, reasonPhrase: "Failed Dependency") : .badRequest
    case .tooLarge: .contentTooLarge
    case .overloaded: .tooManyRequests
    case .unavailable, .deadline, .cancelled: .serviceUnavailable
    case .failed: .internalServerError
    }
  }

  private func body(of error: ServingError, _ fault: RequestFault?, id: String) -> JSONText {
    switch self {
    case .openAI:
      openAIBody(error, field: fault?.field, code: error.kind == .notFound ? "model_not_found" : nil)
    // Cohere's clients read the message, Jina's the detail.
    case .ranking:
      ["id": .string(id), "message": .string(error.message), "detail": .string(error.message)]
    case .textEmbeddings:
      [
        "error": .string(error.message),
        "error_type": fault?.kind == .empty ? "Empty" : .string(textEmbeddingsType(of: error.kind)),
      ]
    case .inferenceProtocol, .ollama: ["error": .string(error.message)]
    case .native: ["error": .string(error.message), "request_id": .string(id)]
    }
  }

  private func openAIBody(_ error: ServingError, field: String?, code: JSONText) -> JSONText {
    [
      "error": [
        "message": .string(error.message), "type": .string(openAIType(of: error.kind)),
        "param": .optional(field), "code": code,
      ]
    ]
  }

  private func openAIType(of kind: ServingError.Kind) -> String {
    switch kind {
    case .overloaded: "rate_limit_exceeded"
    case .failed, .unavailable, .deadline, .cancelled: "server_error"
    case .invalid, .unsupportedCoding, .notFound, .unsupported, .tooLarge: "invalid_request_error"
    }
  }

  private func textEmbeddingsType(of kind: ServingError.Kind) -> String {
    switch kind {
    case .overloaded: "Overloaded"
    case .failed, .deadline, .cancelled: "Backend"
    case .unavailable: "Unhealthy"
    case .invalid, .unsupportedCoding, .notFound, .unsupported, .tooLarge: "Validation"
    }
  }
}
