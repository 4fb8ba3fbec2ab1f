import Apus
import ApusServing
import FoundationEssentials
import Hummingbird

/// A route: what the router is told of it, and what the server's description says.
struct Endpoint: Sendable {
  typealias Handler = @Sendable (Request, ServerContext) async throws -> Response

  let method: HTTPRequest.Method
  /// Parameters stand in braces; the name of a model at the end may hold slashes.
  let path: String
  /// What it is for, in a sentence.
  let summary: String
  /// Schemas of what may be sent, by type; empty where there is no body.
  var bodies: [(type: String, schema: JSONText)] = []
  /// Parameters in the address, behind the question mark.
  var query: [(name: String, schema: JSONText)] = []
  /// The schema of what is answered.
  let answer: JSONText
  /// What that is.
  var answerType = "application/json"
  /// What is answered with 503 where that is no error in the protocol's form.
  var unavailableType: String?
  /// Whether errors are bare sentences: what calls this shows them to people as they are.
  var hasPlainErrors = false
  /// The protocol that it belongs to: that of its list.
  var dialect = Dialect.native
  /// Nil where the route is added elsewhere: its path has names with slashes before its end.
  let handler: Handler?

  /// A route that is sent JSON.
  /// - Parameter headers: those that answers to a request have besides.
  static func post<Body: Sendable>(
    _ path: String, _ summary: String, takes schema: JSONText, answers answer: JSONText,
    of state: ServerState, reading read: @escaping @Sendable ([UInt8]) throws(RequestFault) -> Body,
    headers: @escaping @Sendable (Body) -> HTTPFields = { _ in [:] },
    _ handle: @escaping @Sendable (Body) async throws -> JSONText
  ) -> Endpoint {
    Endpoint(
      method: .post, path: path, summary: summary, bodies: [("application/json", schema)], answer: answer
    ) { request, _ in
      try await state.withBody(of: request, reading: read) { body in
        var response = try await handle(body).response
        for field in headers(body) { response.headers.append(field) }
        return response
      }
    }
  }

  /// A route that is asked for something.
  static func get(
    _ path: String, _ summary: String, answers answer: JSONText,
    _ handle: @escaping @Sendable (ServerContext) async throws -> JSONText
  ) -> Endpoint {
    Endpoint(method: .get, path: path, summary: summary, answer: answer) { _, context in
      try await handle(context).response
    }
  }

  /// A route that is asked for something that is no JSON.
  static func get(
    _ path: String, _ summary: String, _ type: String, _ answer: JSONText = Schema.text,
    _ handler: @escaping Handler
  ) -> Endpoint {
    var endpoint = Endpoint(method: .get, path: path, summary: summary, answer: answer, handler: handler)
    endpoint.answerType = type
    return endpoint
  }

  func add(to router: Router<ServerContext>) {
    guard let handler else { return }
    router.on(RouterPath(routerPath), method: method) { request, context in
      do {
        return try await handler(request, context)
      } catch let fault as RequestFault {
        let response = context.response(fault)
        return hasPlainErrors ? response.saying(fault.message) : response
      } catch let error as ServingError where hasPlainErrors {
        return context.response(error).saying(error.message)
      }
    }
  }

  /// The path as the router has it.
  var routerPath: String {
    let name = "{model}"
    return path.hasSuffix(name) ? path.dropLast(name.count) + "**" : path
  }
}

/// Routes of one protocol.
protocol EndpointList {
  var dialect: Dialect { get }
  var endpoints: [Endpoint] { get }
}

extension ServerState {
  /// What is answered to the body of a request, whose bytes count until then.
  func withBody<Body: Sendable, Answer, Fault: Error>(
    of request: Request, reading read: @escaping @Sendable ([UInt8]) throws(Fault) -> Body,
    _ answer: (Body) async throws -> Answer
  ) async throws -> Answer {
    let body = try await body(of: request)
    let made = try await WorkerThreads.read(bytes: body.bytes.count) { () throws(Fault) in
      try read(body.bytes)
    }
    let answer = try await answer(made)
    return withExtendedLifetime(body) { answer }
  }
}

extension ServerContext {
  /// The parameter at the end of a path.
  var lastParameter: String {
    let text = parameters.getCatchAll().joined(separator: "/")
    return text.removingPercentEncoding ?? text
  }
}

extension Response {
  /// The same with a sentence as its body.
  fileprivate func saying(_ sentence: String) -> Response {
    let plain = Response.text(sentence, status: status)
    var response = self
    response.body = plain.body
    response.headers[.contentType] = plain.headers[.contentType]
    response.headers[.contentLength] = plain.headers[.contentLength]
    return response
  }
}
