/// The badge shown to people.
public enum PrivacyBadge: String, Sendable, Hashable, Codable {
  /// Nothing can leave the computer through the network.
  case processingLocally
  /// Something could, or it is not known.
  case checkFailed

  /// The words: `Processing locally`, `Privacy check failed`.
  public var text: String {
    switch self {
    case .processingLocally: "Processing locally"
    case .checkFailed: "Privacy check failed"
    }
  }

  /// A sign to go before them.
  public var symbol: String {
    switch self {
    case .processingLocally: "\u{1F512}"
    case .checkFailed: "\u{26A0}\u{FE0F}"
    }
  }
}

extension PrivacyBadge: CustomStringConvertible {
  /// The sign and the words.
  public var description: String { "\(symbol) \(text)" }
}
