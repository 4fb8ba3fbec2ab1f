import ApusServing
import Hummingbird

/// The routes of all dialects that are described, and the description itself.
struct DescribedRoutes {
  let state: ServerState

  var endpoints: [Endpoint] {
    let lists: [any EndpointList] = [
      OpenAIRoutes(state: state), TextEmbeddingsRoutes(state: state), HuggingFaceRoutes(state: state),
      OllamaRoutes(state: state), NativeRoutes(state: state),
      PhotoRoutes(state: state), OpenInferenceDescription(),
    ]
    let endpoints = lists.flatMap(\.endpoints)
    let description = OpenAPIDescription.text(of: endpoints, models: state.models.models.map(\.name))
    return endpoints + [
      .get("/openapi.json", "Describes the server.", answers: Schema.anything) { _ in description }
    ]
  }

  func add(to router: Router<ServerContext>) {
    let endpoints = endpoints
    for endpoint in endpoints { endpoint.add(to: router) }
    for (path, endpoints) in Dictionary(grouping: endpoints.filter { $0.handler != nil }, by: \.routerPath) {
      // A page is at the root.
      let allowed = endpoints.map(\.method) + (path == "/" ? [.get, .head] : [])
      for method in Self.methods where !allowed.contains(method) {
        let dialect = endpoints[0].dialect
        router.on(RouterPath(path), method: method) { _, context in
          Self.refusal(of: method, allowed, dialect, context)
        }
      }
    }
  }

  static let methods: [HTTPRequest.Method] =
    [
      .get, .head, .post, .put, .patch, .delete, .options, .trace,
    ] + [HTTPRequest.Method(rawValue: "QUERY")].compactMap(\.self)

  /// The answer to a method that an address does not take.
  static func refusal(
    of method: HTTPRequest.Method, _ allowed: [HTTPRequest.Method], _ dialect: Dialect,
    _ context: ServerContext
  ) -> Response {
    let names = allowed.map(\.rawValue).joined(separator: ", ")
    let error = ServingError(.unsupported, "\(method) is not for this address, but \(names).")
    var response = dialect.response(error, id: context.requestID)
    response.status = .methodNotAllowed
    response.headers[.allow] = names
    return response
  }
}
