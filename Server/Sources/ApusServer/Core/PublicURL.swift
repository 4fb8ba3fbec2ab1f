import Apus

/// The address by which browsers reach a server behind a proxy.
public struct PublicURL: Sendable, Hashable {
  /// Scheme, host and port as browsers have them in `Origin`: in lower case, without the port that goes without saying.
  public let origin: String
  /// The host in lower case, an address of version 6 without its brackets.
  public let host: String
  /// What stands before all paths, such as `/apus`; empty for nothing.
  public let path: String

  /// - Parameter text: such as `https://example.org/apus`.
  /// - Throws: ``ApusError`` of kind `argument`.
  public init(_ text: String) throws(ApusError) {
    let usualPorts = ["http": ":80", "https": ":443"]
    guard let colon = text.firstRange(of: "://"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !text.contains(where: { "?#@\\%".contains($0) }),
      let usualPort = usualPorts[text[..<colon.lowerBound].lowercased()]
    else { throw Self.refusal(text) }
    let rest = text[colon.upperBound...].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let authority = rest[0].lowercased()
    let (host, port) = Self.parts(authority)
    let segments = rest.dropFirst().first?.split(separator: "/") ?? []
    guard !host.isEmpty, host.allSatisfy({ $0.isLetter || $0.isNumber || "-._:".contains($0) }),
      port.isEmpty || UInt16(port.dropFirst()).map({ $0 > 0 }) == true,
      segments.allSatisfy({ $0 != "." && $0 != ".." })
    else { throw Self.refusal(text) }
    self.host = host
    let kept = port == usualPort ? String(authority.dropLast(port.count)) : authority
    origin = text[..<colon.upperBound].lowercased() + kept
    path = segments.map { "/" + $0 }.joined()
  }

  /// The whole.
  public var text: String { origin + path }

  /// The host, and the port with its colon; empty for none.
  private static func parts(_ authority: String) -> (host: String, port: String) {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      let host = authority[authority.index(after: authority.startIndex)..<end]
      return (String(host), String(authority[authority.index(after: end)...]))
    }
    guard let colon = authority.firstIndex(of: ":") else { return (authority, "") }
    return (String(authority[..<colon]), String(authority[colon...]))
  }

  private static func refusal(_ text: String) -> ApusError {
    ApusError(
      .argument, "--public-url \(text): no address of a server",
      expected: "http:// or https://, a host, and what else it needs of a port and a path")
  }
}
