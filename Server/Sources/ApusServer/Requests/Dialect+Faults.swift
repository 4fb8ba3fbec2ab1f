import ApusServing
import Hummingbird

extension Dialect {
  /// The answer to a request that is wrong by itself.
  func response(_ fault: RequestFault, id: String) -> Response {
    let error = ServingError(fault.kind == .tooLarge ? .tooLarge : .invalid, fault.message)
    var response = response(error, id: id)
    switch (self, fault.kind) {
    case (.openAI, _):
      response.set([
        "error": [
          "message": .string(fault.message), "type": "invalid_request_error", "param": .optional(fault.field),
          "code": nil,
        ]
      ])
    case (.textEmbeddings, .empty):
      response.set(["error": .string(fault.message), "error_type": "Empty"])
      response.status = .badRequest
    case (.textEmbeddings, .syntax): response.status = .badRequest
    default: break
    }
    return response
  }

  /// The schema of the bodies of errors.
  var errorSchema: JSONText {
    switch self {
    case .openAI:
      Schema.object([
        "error": Schema.object([
          "message": Schema.text, "type": Schema.text, "param": Schema.optional(Schema.text),
          "code": Schema.optional(Schema.text),
        ])
      ])
    case .textEmbeddings: Schema.object(["error": Schema.text, "error_type": Schema.text])
    case .inferenceProtocol, .ollama: Schema.object(["error": Schema.text])
    case .native: Schema.object(["error": Schema.text, "request_id": Schema.text])
    }
  }
}

extension Response {
  fileprivate mutating func set(_ body: JSONText) {
    let other = Response.encodedJSON(body.bytes)
    self.body = other.body
    headers[.contentLength] = other.headers[.contentLength]
  }
}
