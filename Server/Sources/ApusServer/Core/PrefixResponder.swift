import HTTPTypes
import Hummingbird

/// Answers requests whose path begins with that of the server's public address as those without it: proxies may leave it
/// there or take it away.
struct PrefixResponder<Base: HTTPResponder<ServerContext>>: HTTPResponder {
  let base: Base
  /// Such as `/apus`; empty for nothing.
  let prefix: String

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    guard !prefix.isEmpty, let path = request.head.path, path.hasPrefix(prefix) else {
      return try await base.respond(to: request, context: context)
    }
    let rest = path.dropFirst(prefix.count)
    // The page finds its routes beside itself, which are below the prefix with the slash alone.
    if rest.isEmpty || rest.hasPrefix("?"), request.reads {
      let headers: HTTPFields = [
        .location: prefix + "/" + rest, .requestID: RequestName.name(of: request),
      ]
      return Response(status: .permanentRedirect, headers: headers)
    }
    guard rest.hasPrefix("/") else { return try await base.respond(to: request, context: context) }
    var head = request.head
    head.path = String(rest)
    return try await base.respond(to: Request(head: head, body: request.body), context: context)
  }
}
