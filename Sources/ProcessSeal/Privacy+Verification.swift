import TensorCore

extension Privacy {
  /// The outcome of trying every way to the network.
  public struct Verification: Sendable, Hashable, Codable {
    /// The attempts.
    public let attempts: [Attempt]
    /// The state of the process then.
    public let report: Report

    /// Whether the process is sealed, and every attempt was refused.
    public var isPassing: Bool { report.isLocal && attempts.allSatisfy(\.isRefused) }
    /// The badge for people.
    public var badge: PrivacyBadge { isPassing ? .processingLocally : .checkFailed }
  }

  /// Tries each way to the network once, and expects to be refused. Where the process is not sealed, sockets that can be
  /// opened are closed at once: nothing is ever sent.
  public static func verify() -> Verification {
    Verification(attempts: Trial.all.map { $0.attempt() }, report: report())
  }

  /// A way to the network that was tried.
  public struct Attempt: Sendable, Hashable, Codable {
    /// The attempt in words.
    public let name: String
    /// The kernel's answer.
    public let answer: Answer

    /// Whether that way is closed.
    public var isRefused: Bool {
      switch answer {
      case .refused, .unknown: true
      case .allowed, .failed: false
      }
    }
  }

  /// The kernel's answer to an attempt.
  public enum Answer: Sendable, Hashable, Codable {
    /// It is forbidden.
    case refused
    /// The kernel has no such call.
    case unknown
    /// It succeeded.
    case allowed
    /// It was tried, and failed for another reason, by the number of the error: nothing forbids it.
    case failed(Int32)
  }
}
