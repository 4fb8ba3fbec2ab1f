import Apus
import ApusServing
import HummingbirdCore

extension ServerOptions.Address {
  /// Refuses a socket of the file system on which nobody can listen, as far as that can be told before. One that a server
  /// left that is gone is no hindrance.
  /// - Throws: ``ApusError`` of kind `argument`.
  public func check() throws(ApusError) {
    guard case .unixSocket(let path) = self, let hindrance = UnixSocket.hindrance(at: path) else { return }
    throw refusal(hindrance, at: text(nil, isSecure: false))
  }

  /// Why nobody can listen.
  func refusal(_ reason: String, at place: String) -> ApusError {
    ApusError(
      .argument, "cannot listen: \(reason)", expected: "an address of this computer that is free", at: place)
  }

  var bindAddress: BindAddress {
    switch self {
    case .host(let host, let port): .hostname(host.hostToListenOn, port: port)
    case .unixSocket(let path): .unixDomainSocket(path: path)
    }
  }

  /// What a browser or client is given.
  func text(_ port: Int?, isSecure: Bool) -> String {
    switch self {
    case .host(let host, let asked):
      "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port ?? asked)"
    case .unixSocket(let path): "unix:\(path)"
    }
  }
}
