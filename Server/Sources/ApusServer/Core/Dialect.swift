import Apus
import HTTPTypes
import Hummingbird

/// A protocol that clients speak. Each has its own in its folder, and a route that of the list in which it stands.
struct Dialect: Sendable {
  /// The form of its errors.
  let errors: any ErrorForm
  /// The first part of paths that are its own where no route has them; empty for those that are no other's, nil for none.
  var home: String?
  /// Whether paths may have empty segments: clients of other servers put base URLs that end with a slash before theirs.
  var takesEmptySegments = false
}

/// The protocols of requests, by the routes that they found.
struct Dialects: Sendable {
  /// By the paths that the router has.
  private let routes: [ExactText: [Endpoint]]
  private let homes: [ExactText: Dialect]

  init(_ endpoints: [Endpoint]) {
    routes = Dictionary(grouping: endpoints) { ExactText(RouterPath($0.routerPath).description) }
    homes = Dictionary(
      endpoints.compactMap { endpoint in endpoint.dialect.home.map { (ExactText($0), endpoint.dialect) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// - Parameter route: the path that the router has of what was found; nil for nothing.
  func dialect(of request: Request, at route: String?) -> Dialect {
    let method = request.method == .head ? .get : request.method
    if let found = route.flatMap({ routes[ExactText($0)] }),
      let endpoint = found.first(where: { $0.method == method }) ?? found.first
    {
      return endpoint.dialect
    }
    let home = request.uri.path.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
    return homes[ExactText(home)] ?? homes[ExactText("")] ?? .native
  }
}
