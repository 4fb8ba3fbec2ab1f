import Hummingbird
import NIOCore

/// A request on its way through the routes.
public struct ServerContext: RequestContext {
  /// What the router keeps of it.
  public var coreContext: CoreRequestContextStorage
  /// What names the request in its answer, its errors and the log: the client's own `X-Request-ID`, else a number.
  public var requestID = ""
  /// The protocol that it is in.
  var dialect = Dialect.native
  /// The connection; nil in tests without one.
  let channel: (any Channel)?

  /// - Parameter source: where it came in.
  public init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}
