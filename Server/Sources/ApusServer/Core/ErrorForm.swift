import ApusServing
import HTTPTypes
import Hummingbird

/// The form in which the clients of a protocol are told what went wrong.
protocol ErrorForm: Sendable {
  /// The schema of its bodies.
  var schema: JSONText { get }

  func body(of failure: RequestFailure) -> JSONText
  func status(of failure: RequestFailure) -> HTTPResponse.Status
}

/// What a request ended in.
struct RequestFailure {
  let error: ServingError
  /// What is wrong with the request by itself; nil for anything else.
  var fault: RequestFault?
  /// Whether there is nothing at the address.
  var isOfUnknownAddress = false
  /// What names the request.
  let id: String

  /// The status that most protocols have for it.
  var usualStatus: HTTPResponse.Status {
    switch error.kind {
    case .invalid, .unsupported: .badRequest
    case .unsupportedCoding: .unsupportedMediaType
    case .notFound: .notFound
    case .tooLarge: .contentTooLarge
    case .overloaded: .tooManyRequests
    case .unavailable, .deadline, .cancelled: .serviceUnavailable
    case .failed: .internalServerError
    }
  }
}

extension ErrorForm {
  func status(of failure: RequestFailure) -> HTTPResponse.Status { failure.usualStatus }

  fileprivate func response(_ failure: RequestFailure) -> Response {
    var response = Response.encodedJSON(body(of: failure).bytes, status: status(of: failure))
    if case .overloaded(let time) = failure.error.kind {
      // In whole seconds, so that nobody comes back too early.
      response.headers[.retryAfter] = String(Int((time / .seconds(1)).rounded(.up)))
    }
    if failure.error.kind == .unsupportedCoding { response.headers[.acceptEncoding] = Inflation.codings }
    return response
  }
}

/// Answers that say what went wrong, in the form of the request's protocol.
extension ServerContext {
  func response(_ error: ServingError) -> Response {
    dialect.errors.response(RequestFailure(error: error, id: requestID))
  }

  /// To a request that is wrong by itself.
  func response(_ fault: RequestFault) -> Response {
    let error = ServingError(fault.kind == .tooLarge ? .tooLarge : .invalid, fault.message)
    return dialect.errors.response(RequestFailure(error: error, fault: fault, id: requestID))
  }

  /// To a request for an address at which there is nothing.
  func response(toUnknown address: String) -> Response {
    let error = ServingError(.notFound, "There is nothing at \(address).")
    return dialect.errors.response(RequestFailure(error: error, isOfUnknownAddress: true, id: requestID))
  }
}
