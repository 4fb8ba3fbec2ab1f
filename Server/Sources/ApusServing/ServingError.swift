/// Why a request, or an item of one, has no result. Every protocol has a form and a status of its own for each kind.
public struct ServingError: Error, Sendable {
  /// What is to be done about it, and by whom.
  public enum Kind: Sendable, Equatable {
    /// The request makes no sense: a malformed picture, an empty text, a tensor of another shape.
    case invalid
    /// There is no model, or nothing else, of that name.
    case notFound
    /// The request is packed in a way that the server does not unpack.
    case unsupportedCoding
    /// The model does not do what it is asked for.
    case unsupported
    /// The request is over a limit, and will be whenever it comes again.
    case tooLarge
    /// More is waiting than the server takes on; there will be room after that time.
    case overloaded(retryAfter: Duration)
    /// The model is being opened, or there is no memory for it now.
    case unavailable
    /// It was not done within the time that requests have.
    case deadline
    /// The client is gone.
    case cancelled
    /// The server's own failure.
    case failed
  }

  /// What kind it is of.
  public let kind: Kind
  /// What went wrong, in sentences for whoever sent the request. It names no path of the server.
  public let message: String
  /// What went wrong, for the server's log: it may name files, and is sent to nobody. Nil where the message says it all.
  public let detail: String?

  /// Whether whoever runs the server is to read of it: it is the server's own failure, or says more than clients are told.
  public var isForLog: Bool { kind == .failed || (detail != nil && kind != .cancelled) }

  /// - Parameters:
  ///   - message: sentences.
  ///   - detail: for the server's log; nil where the message says it all.
  public init(_ kind: Kind, _ message: String, detail: String? = nil) {
    (self.kind, self.message, self.detail) = (kind, message, detail)
  }
}

extension ServingError: Equatable {
  /// Whether clients are told the same.
  public static func == (one: ServingError, other: ServingError) -> Bool {
    one.kind == other.kind && one.message == other.message
  }
}

extension ServingError: CustomStringConvertible {
  /// What a log has of it.
  public var description: String { detail ?? message }
}
