import ApusServing
import GRPCCore

/// Lets only those in who send one of the server's keys, as `authorization: Bearer KEY` or `x-api-key: KEY`. Whether the
/// server is well everybody may ask.
struct KeyInterceptor: ServerInterceptor {
  private let keys: [[UInt8]]

  init(_ keys: [String]) { self.keys = keys.map { Array($0.utf8) } }

  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next:
      @Sendable (StreamingServerRequest<Input>, ServerContext) async throws ->
      StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    let isOpen = ["ServerLive", "ServerReady"].contains(context.descriptor.method)
    guard isOpen || isKnown(Self.key(in: request.metadata)) else {
      throw RPCError(code: .unauthenticated, message: "The server wants a key: authorization: Bearer KEY.")
    }
    return try await next(request, context)
  }

  private static func key(in metadata: Metadata) -> [UInt8] {
    if let key = metadata[stringValues: "x-api-key"].first(where: { _ in true }) { return Array(key.utf8) }
    let value = metadata[stringValues: "authorization"].first { _ in true } ?? ""
    return Array((BearerToken.key(in: value) ?? "").utf8)
  }

  /// Every byte of every key is compared, so that the time tells nothing.
  private func isKnown(_ key: [UInt8]) -> Bool {
    !keys.filter { known in
      var difference: UInt8 = known.count == key.count ? 0 : 1
      for index in known.indices { difference |= known[index] ^ (index < key.count ? key[index] : 0) }
      return difference == 0
    }.isEmpty
  }
}
