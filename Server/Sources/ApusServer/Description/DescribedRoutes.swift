import ApusServing
import Hummingbird

/// The routes of all protocols that are described, and the description itself.
struct DescribedRoutes {
  let endpoints: [Endpoint]

  init(state: ServerState) {
    let lists: [any EndpointList] = [
      OpenAIRoutes(state: state), TextEmbeddingsRoutes(state: state), HuggingFaceRoutes(state: state),
      DocumentRankingRoutes(state: state),
      OllamaRoutes(state: state), NativeRoutes(state: state),
      PhotoRoutes(state: state), OpenInferenceDescription(), PageRoutes(), HealthRoutes(state: state),
      PhotoFileRoutes(state: state),
    ]
    let listed = lists.flatMap { list in
      list.endpoints.map { endpoint in
        var endpoint = endpoint
        endpoint.dialect = list.dialect
        return endpoint
      }
    }
    let description = OpenAPIDescription.text(
      of: listed + [Self.own { _ in .null }], models: state.models.models.map(\.name),
      at: state.options.publicURL?.text)
    endpoints = listed + [Self.own { _ in description }]
  }

  /// The route of the description, which has a place in it.
  private static func own(
    _ handle: @escaping @Sendable (ServerContext) async throws -> JSONText
  ) -> Endpoint {
    var endpoint = Endpoint.get("/openapi.json", "Describes the server.", answers: Schema.anything, handle)
    endpoint.dialect = .server
    return endpoint
  }

  func add(to router: Router<ServerContext>) {
    for endpoint in endpoints { endpoint.add(to: router) }
    for (path, endpoints) in Dictionary(grouping: endpoints.filter { $0.handler != nil }, by: \.routerPath) {
      router.refuseMethods(but: endpoints.map(\.method), at: path)
    }
  }

  /// Those that are read of a connection with a path behind them; what has another is no HTTP there.
  static let methods: [HTTPRequest.Method] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "COPY", "LOCK", "MKCOL",
    "MOVE", "PROPFIND", "PROPPATCH", "SEARCH", "UNLOCK", "BIND", "REBIND", "UNBIND", "ACL", "REPORT",
    "MKACTIVITY", "CHECKOUT", "MERGE", "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE", "PURGE",
    "MKCALENDAR", "LINK", "UNLINK", "SOURCE",
  ].compactMap { HTTPRequest.Method(rawValue: $0) }

  /// The answer to a method that an address does not take.
  static func refusal(
    of method: HTTPRequest.Method, _ allowed: [HTTPRequest.Method], _ context: ServerContext
  ) -> Response {
    let names = allowed.withHead.map(\.rawValue).joined(separator: ", ")
    var response = context.response(
      ServingError(.unsupported, "\(method) is not for this address, but \(names)."))
    response.status = .methodNotAllowed
    response.headers[.allow] = names
    return response
  }
}

extension Router<ServerContext> {
  /// Has methods refused that an address does not take.
  func refuseMethods(but allowed: [HTTPRequest.Method], at path: String) {
    for method in DescribedRoutes.methods where !allowed.withHead.contains(method) {
      on(RouterPath(path), method: method) { _, context in
        DescribedRoutes.refusal(of: method, allowed, context)
      }
    }
  }
}

extension [HTTPRequest.Method] {
  /// With `HEAD` behind `GET`, of which the router makes it.
  var withHead: [HTTPRequest.Method] { flatMap { $0 == .get ? [.get, .head] : [$0] } }
}

extension Request {
  /// Whether it asks for what is at an address, or for its head.
  var reads: Bool { method == .get || method == .head }
}
