import ApusServing
import HTTPTypes
import Hummingbird

/// Refuses what a page of another site has a browser send: requests for a name that leads here by a trick (DNS
/// rebinding), and those that say themselves that another site sends them. Those that do not say whom they are for, or say
/// it twice, are malformed.
struct HostMiddleware: RouterMiddleware {
  private let names: Set<String>
  /// Whether clients may call the server by its names alone; on a socket of the file system it has none.
  private let hasNames: Bool
  /// That of pages which browsers have through a proxy, whatever it calls the server.
  private let publicOrigin: String?

  init(_ options: ServerOptions) {
    var names = Set(options.hostNames.map(Self.name(ofHost:)))
    switch options.address {
    case .host(let host, _):
      names.insert(Self.name(ofHost: host))
      hasNames = true
    case .unixSocket: hasNames = false
    }
    if let url = options.publicURL { names.insert(Self.name(ofHost: url.host)) }
    publicOrigin = options.publicURL?.origin
    self.names = names
  }

  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard let authority = request.head.authority, request.headers[.secondHost] == nil else {
      let count = request.head.authority == nil ? "no" : "more than one"
      return refusal(
        "The request has \(count) 'Host' header, expected one (RFC 9112, 3.2).", .badRequest, context)
    }
    let host = Self.name(ofAuthority: authority)
    guard !hasNames || isKnown(host) else {
      return refusal(
        "The server is not known by the name '\(host.clipped)' (--host-name makes it known).", .forbidden,
        context)
    }
    guard !isForeign(request, host) || Self.isVisit(request) else {
      return refusal(
        "A page of another site may not ask this server "
          + "(--public-url is the address of its own page behind a proxy).", .forbidden, context)
    }
    return try await next(request, context)
  }

  /// Whether a page of another site has a browser send it. A proxy may call the server by a name that browsers do not know,
  /// so that their own word counts, and the name in `Origin` only where they say nothing, or where it is known what it is.
  private func isForeign(_ request: Request, _ host: String) -> Bool {
    let site = request.headers[.secFetchSite]
    if !hasNames, let site { return site != "same-origin" && site != "none" }
    if site == "same-origin", publicOrigin == nil { return false }
    let isOfOther = request.headers[.origin].map { !isPublic($0) && !isOwn($0, host) } ?? false
    return isOfOther || site == "cross-site"
  }

  private func isPublic(_ origin: String) -> Bool { origin.lowercased() == publicOrigin }

  /// Whether a page is of the name that the server is called by. That of the public address has a scheme and a port besides.
  private func isOwn(_ origin: String, _ host: String) -> Bool {
    guard Self.name(ofOrigin: origin) == host else { return false }
    return publicOrigin.map { Self.name(ofOrigin: $0) != host } ?? true
  }

  /// Whether somebody followed a link to the page, of which the site with the link sees nothing.
  private static func isVisit(_ request: Request) -> Bool {
    request.reads && request.uri.path == "/" && request.headers[.secFetchMode] == "navigate"
  }

  private func refusal(
    _ message: String, _ status: HTTPResponse.Status, _ context: ServerContext
  ) -> Response {
    var response = context.response(ServingError(.invalid, message))
    response.status = status
    return response
  }

  /// Addresses and `localhost` lead where they say.
  private func isKnown(_ host: String) -> Bool {
    host.isEmpty || host == "localhost" || host.hasSuffix(".localhost") || Self.isAddress(host)
      || names.contains(host)
  }

  private static func isAddress(_ host: String) -> Bool {
    if host.contains(":") { return host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func name(ofOrigin origin: String) -> String {
    guard let scheme = origin.firstRange(of: "://") else { return "" }
    return name(ofAuthority: String(origin[scheme.upperBound...]))
  }

  /// The name without a port, in lower case.
  private static func name(ofAuthority authority: String) -> String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return authority[authority.index(after: authority.startIndex)..<end].lowercased()
    }
    return name(ofHost: String(authority.prefix { $0 != ":" }))
  }

  /// The name in lower case, without the dot of the root that may end it.
  private static func name(ofHost host: String) -> String {
    let name = host.lowercased()
    return name.count > 1 && name.hasSuffix(".") ? String(name.dropLast()) : name
  }
}

extension HTTPField.Name {
  /// The first is the request's authority, and is not among its fields.
  fileprivate static let secondHost = HTTPField.Name("Host") ?? .eTag
  fileprivate static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .eTag
  fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .eTag
}
