import ApusServing
import HTTPTypes
import Hummingbird

/// Lets only those in who send one of the server's keys, as `Authorization: Bearer KEY` or `X-API-Key: KEY`. Whether the
/// server is well, and its page, everybody may see.
struct KeyMiddleware: RouterMiddleware {
  private let keys: [[UInt8]]
  /// Those of requests that may load and unload models besides.
  private let controlKeys: [[UInt8]]

  init(_ options: ServerOptions) {
    keys = options.keys.map { Array($0.utf8) }
    controlKeys = options.controlKeys.map { Array($0.utf8) }
  }

  /// Whether a request has a key with which models may be loaded and unloaded.
  func mayControl(_ request: Request) -> Bool { Self.isKnown(Self.key(of: request), among: controlKeys) }

  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard
      keys.isEmpty || Self.isOpen(request)
        || Self.isKnown(Self.key(of: request), among: keys + controlKeys)
    else {
      var response = context.response(
        ServingError(.invalid, "The server wants a key: Authorization: Bearer KEY."))
      response.status = .unauthorized
      response.headers[.wwwAuthenticate] = "Bearer"
      return response
    }
    return try await next(request, context)
  }

  private static func isOpen(_ request: Request) -> Bool {
    let path = request.uri.path
    return path == "/health" || path.hasPrefix("/health/") || path.hasPrefix("/v2/health/")
      || (request.reads && path == "/")
  }

  private static func key(of request: Request) -> [UInt8] {
    if let key = request.headers[.apiKey] { return Array(key.utf8) }
    return Array((request.headers[.authorization].flatMap(BearerToken.key) ?? "").utf8)
  }

  /// Every byte of every key is compared, so that the time tells nothing.
  private static func isKnown(_ key: [UInt8], among keys: [[UInt8]]) -> Bool {
    !keys.filter { areEqual($0, key) }.isEmpty
  }

  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    var difference: UInt8 = one.count == other.count ? 0 : 1
    for index in one.indices { difference |= one[index] ^ (index < other.count ? other[index] : 0) }
    return difference == 0
  }
}

extension HTTPField.Name {
  fileprivate static let apiKey = HTTPField.Name("X-API-Key") ?? .eTag
}
