import ApusServing
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// The outermost of what a request passes: gives it a name, tells its protocol, turns errors into answers of that, and logs
/// it.
struct AnswerMiddleware: RouterMiddleware {
  let state: ServerState
  let dialects: Dialects

  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let begin = ContinuousClock.now
    var context = context
    context.requestID = RequestName.name(of: request)
    context.dialect = dialects.dialect(of: request, at: context.endpointPath)
    context.logger[metadataKey: "request"] = .string(context.requestID)
    state.counts.begin()
    var response: Response
    do {
      response = try await answer(request, context, next)
    } catch {
      takeDown(.badRequest)
      throw error
    }
    takeDown(response.status)
    response.headers[.requestID] = context.requestID
    let time = (ContinuousClock.now - begin) / .milliseconds(1)
    context.logger.info(
      "\(request.method) \(request.uri.path)",
      metadata: [
        "status": .stringConvertible(response.status.code),
        "ms": .stringConvertible((time * 1000).rounded() / 1000),
      ])
    return response
  }

  /// Counts an answer, unless the client is gone, whom it does not reach.
  private func takeDown(_ status: HTTPResponse.Status) {
    if state.isClientGone { state.counts.leave() } else { state.counts.end(status: status.code) }
  }

  private func answer(
    _ request: Request, _ context: ServerContext,
    _ next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    if let reason = TransferCoding.refusal(of: request) {
      var response = context.response(reason)
      response.status = .notImplemented
      return response
    }
    do {
      return try await next(request, context)
    } catch let error as HTTPParserError {
      // Whoever reads the connection answers what is no HTTP, and closes it.
      throw error
    } catch let error as HTTPError where error.status == .notFound {
      return context.response(toUnknown: "\(request.method) \(request.uri.path.clipped)")
    } catch let error as HTTPError {
      return context.response(Self.error(of: error))
    } catch is SlowBody {
      let reason = ServingError(.deadline, "The body did not come in the time that it may take.")
      var response = context.response(reason)
      response.status = .requestTimeout
      // The rest of the body would be taken for another request.
      response.headers[.connection] = "close"
      return response
    } catch {
      let reason = state.reason(of: error)
      if reason.isForLog { context.logger.error("a request failed", metadata: ["error": "\(error)"]) }
      return context.response(reason)
    }
  }

  private static func error(of error: HTTPError) -> ServingError {
    switch error.status {
    case .contentTooLarge: ServingError(.tooLarge, error.body ?? "The body is too long.")
    case let status where status.code < 500:
      ServingError(.invalid, error.body ?? "\(status.reasonPhrase).")
    default: ServingError(.failed, error.body ?? "The server failed.")
    }
  }
}

/// What names a request in its answer, its errors and the log.
enum RequestName {
  /// The client's own name where that is fit for a log, else a number.
  static func name(of request: Request) -> String {
    if let id = request.headers[.requestID], (1...128).contains(id.utf8.count),
      id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    {
      return id
    }
    return random()
  }

  /// A number.
  static func random() -> String { text(of: .random(in: .min ... .max)) }

  /// Sixteen digits, so that names are of one width in a log.
  static func text(of number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(16 - digits.count, 0)) + digits
  }
}

extension HTTPField.Name {
  static let requestID = HTTPField.Name("X-Request-ID") ?? .eTag
}

/// What bodies come in on their way, beside what they are packed in (RFC 9112, 6.1).
enum TransferCoding {
  /// Why a request is not read: its body comes in something else than chunks alone.
  static func refusal(of request: Request) -> ServingError? {
    guard let codings = request.headers[.transferEncoding] else { return nil }
    let names = codings.split(separator: ",").map { $0.trimmingSpace.lowercased() }
    guard names != ["chunked"] else { return nil }
    return ServingError(
      .invalid, "The body comes in the transfer coding '\(codings.clipped)', expected chunked alone.")
  }
}
