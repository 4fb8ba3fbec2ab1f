import Hummingbird

/// Answers requests whose path has empty segments, such as `//metrics` and `/metrics/`, as those for an address at which there
/// is nothing, unless their protocol takes them. The router passes such segments over, but who guards an address in front of
/// the server compares paths as they are written.
struct ExactPathMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard context.dialect.takesEmptySegments || !Self.hasEmptySegments(request.uri.path) else {
      throw HTTPError(.notFound)
    }
    return try await next(request, context)
  }

  private static func hasEmptySegments(_ path: String) -> Bool {
    path != "/" && (path.utf8.last == UInt8(ascii: "/") || path.contains("//"))
  }
}
