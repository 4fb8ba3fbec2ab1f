import HTTPTypes
import Hummingbird

/// Answers requests whose path has empty segments, such as `//metrics` and `/metrics/`, as those for an address at which there
/// is nothing. The router passes such segments over, but who guards an address in front of the server compares paths as they
/// are written.
struct ExactPathMiddleware: RouterMiddleware {
  /// Routes that take such requests all the same.
  private let lenient: Set<Route>

  private struct Route: Hashable {
    let method: HTTPRequest.Method
    /// As the router has it.
    let path: String
  }

  init(_ endpoints: [Endpoint]) {
    lenient = Set(
      endpoints.filter(\.takesEmptySegments).map { endpoint in
        Route(method: endpoint.method, path: RouterPath(endpoint.routerPath).description)
      })
  }

  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let route = Route(
      method: request.method == .head ? .get : request.method, path: context.endpointPath ?? "")
    guard !Self.hasEmptySegments(request.uri.path) || lenient.contains(route) else {
      throw HTTPError(.notFound)
    }
    return try await next(request, context)
  }

  private static func hasEmptySegments(_ path: String) -> Bool {
    path != "/" && (path.utf8.last == UInt8(ascii: "/") || path.contains("//"))
  }
}
