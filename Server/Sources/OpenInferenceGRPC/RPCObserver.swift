import ApusServing
import GRPCCore

/// Whoever is told of every call: a log, and counts.
public protocol RPCObserver: Sendable {
  /// A call comes in.
  func callBegins()
  /// It has ended.
  /// - Parameter method: the service and the method.
  func callEnds(_ method: String, _ outcome: RPCOutcome, after time: Duration)
  /// It, or a request of its stream, has an error of which clients are not told all.
  func callFails(_ method: String, _ error: ServingError)
}

/// What became of a call.
public struct RPCOutcome: Sendable, Equatable {
  /// What that means for a server, whatever the protocol.
  public enum Kind: Sendable {
    /// It has its answer.
    case answered
    /// It cannot be answered, whoever is asked.
    case refused
    /// There was no room for it.
    case overloaded
    /// The server could not answer.
    case failed
    /// The client is gone.
    case left
  }

  /// The number of the status.
  public let code: Int
  /// What that means.
  public let kind: Kind

  init(_ status: Status, _ metadata: Metadata) {
    code = status.code.rawValue
    kind =
      switch status.code {
      case .ok: .answered
      case .cancelled: .left
      // What may come again is told when.
      case .resourceExhausted:
        metadata[stringValues: Metadata.retryTime].contains(where: { _ in true }) ? .overloaded : .refused
      case .unknown, .deadlineExceeded, .internalError, .unavailable, .dataLoss: .failed
      default: .refused
      }
  }
}

extension Metadata {
  /// Milliseconds, after which a request may come again.
  static let retryTime = "grpc-retry-pushback-ms"
  /// How long a client waits.
  static let timeout = "grpc-timeout"
  /// Hours of eight digits are more nanoseconds than a timer counts; nobody waits longer than 30 days.
  private static let mostPatience = Duration.seconds(30 * 24 * 3600)

  /// How long the client waits; nil where it does not say.
  var patience: Duration? {
    guard let text = self[stringValues: Self.timeout].first(where: { _ in true }), text.utf8.count <= 9,
      let amount = Int64(text.dropLast()), amount >= 0
    else { return nil }
    let time: Duration? =
      switch text.last {
      case "H": .seconds(amount * 3600)
      case "M": .seconds(amount * 60)
      case "S": .seconds(amount)
      case "m": .milliseconds(amount)
      case "u": .microseconds(amount)
      case "n": .nanoseconds(amount)
      default: nil
      }
    return time.map { Swift.min($0, Self.mostPatience) }
  }
}
