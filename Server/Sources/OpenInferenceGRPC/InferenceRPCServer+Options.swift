import struct Apus.ApusError
import ApusServing
import CLibrary
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore

extension InferenceRPCServer {
  /// What a server is told when it is started.
  public struct Options: Sendable {
    /// Where it listens.
    public enum Address: Sendable, Hashable {
      /// An address or a name of this computer, and a port; 0 for any that is free.
      case host(String, port: Int)
      /// A socket of the file system, by its path. One that is there already is replaced, whoever listens on it.
      case unixSocket(String)

      /// Where clients look who are told of no port.
      public static let standardPort = 8001
    }

    /// Where it listens.
    public var address = Address.host("127.0.0.1", port: Address.standardPort)
    /// The bytes of a message, also once it is unpacked. One of 64 KiB more has no status: its stream is reset.
    public var messageBytes = 32 << 20
    /// How long the message of a call may take to come; those of a stream have no limit.
    public var messageTime = Duration.seconds(30)
    /// Requests at a time on one connection; more wait at the client.
    public var streams = 32
    /// Connections at a time; more are closed.
    public var connections = 1024
    /// How long a connection stays open without a call.
    public var idleTime = Duration.seconds(75)
    /// Keys of which clients must send one; none where nobody needs one.
    public var keys: [String] = []
    /// Files in PEM form; nil for no encryption.
    public var tls: (certificate: String, key: String)?
    /// What calls that are cut have to get their status to their clients.
    var lastWords = Duration.seconds(1)

    /// How much longer a connection without a call stays open whose client does not answer that it should end.
    var idleGrace = Duration.seconds(5)

    /// The bytes by which a message may be too long and have a status that says so: it is kept for that.
    static let excessWithStatus = 64 << 10

    /// The defaults.
    public init() {}
  }
}

extension InferenceRPCServer.Options {
  /// Where to listen, with the address of a name.
  /// - Throws: ``ApusError`` of kind `argument`.
  func socketAddress() throws(ApusError) -> GRPCNIOTransportHTTP2Posix.SocketAddress {
    switch address {
    case .unixSocket(let path): return .unixDomainSocket(path: path)
    case .host(let host, let port):
      if host.contains(":") { return .ipv6(host: host, port: port) }
      let resolved: NIOCore.SocketAddress
      do {
        resolved = try NIOCore.SocketAddress.makeAddressResolvingHost(host.hostToListenOn, port: port)
      } catch {
        throw address.refusal(error)
      }
      let number = resolved.ipAddress ?? host
      return number.contains(":") ? .ipv6(host: number, port: port) : .ipv4(host: number, port: port)
    }
  }

  var security: HTTP2ServerTransport.Posix.TransportSecurity {
    guard let tls else { return .plaintext }
    return .tls(
      certificateChain: [.file(path: tls.certificate, format: .pem)],
      privateKey: .file(path: tls.key, format: .pem))
  }
}

extension InferenceRPCServer.Options.Address {
  /// What a client is given.
  /// - Parameter port: the one in use; nil for the one that was asked for.
  public func text(_ port: Int? = nil) -> String {
    switch self {
    case .host(let host, let asked): "\(host.contains(":") ? "[\(host)]" : host):\(port ?? asked)"
    case .unixSocket(let path): "unix:\(path)"
    }
  }

  /// Why nobody can listen.
  func refusal(_ error: any Error) -> ApusError {
    let reason =
      switch error {
      case let error as IOError: String(cString: strerror(error.errnoCode))
      case let error as SocketAddressError.UnknownHost: error.errorDescription
      case let error as RuntimeError: error.cause.map { "\($0)" } ?? error.message
      default: "\(error)"
      }
    return ApusError(
      .argument, "cannot listen for gRPC: \(reason)", expected: "an address of this computer that is free",
      at: text())
  }
}
