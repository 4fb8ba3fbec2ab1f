import GRPCCore
import GRPCNIOTransportHTTP2Posix
import OpenInference
import ServiceLifecycle
import Synchronization

/// Answers the Open Inference Protocol over gRPC, from when it is started until it is told to stop.
public final class InferenceRPCServer: Service {
  /// What a server is told when it is started.
  public struct Options: Sendable {
    /// The address to listen on, in numbers.
    public var host = "127.0.0.1"
    /// The port; 0 for any that is free.
    public var port = 8001
    /// The bytes of a message, also once it is unpacked.
    public var messageBytes = 32 << 20
    /// Requests at a time on one connection.
    public var streams = 256
    /// Keys of which clients must send one; none where nobody needs one.
    public var keys: [String] = []
    /// Files in PEM form; nil for no encryption.
    public var tls: (certificate: String, key: String)?

    /// The defaults.
    public init() {}
  }

  private let transport: HTTP2ServerTransport.Posix
  private let server: GRPCServer<HTTP2ServerTransport.Posix>
  private let draining: Draining
  private let running = Mutex<Task<Void, any Error>?>(nil)

  /// - Parameter isReady: whether every model answers.
  public init(
    _ service: OpenInferenceService, _ options: Options, isReady: @escaping @Sendable () -> Bool
  ) {
    draining = Draining()
    transport = HTTP2ServerTransport.Posix(
      address: options.address, transportSecurity: options.security,
      config: .defaults { config in
        config.rpc.maxRequestPayloadSize = options.messageBytes
        config.compression.enabledAlgorithms = [.gzip, .deflate]
        config.http2.maxConcurrentStreams = options.streams
      })
    let calls = InferenceRPCs(service: service, draining: draining, isReady: isReady)
    server = GRPCServer(
      transport: transport, services: [calls],
      interceptors: options.keys.isEmpty ? [] : [KeyInterceptor(options.keys)])
  }

  /// Listens, and takes requests from now on.
  /// - Returns: the port in use.
  /// - Throws: what keeps it from listening.
  public func start() async throws -> Int {
    let serving = Task { [server] in try await server.serve() }
    do {
      let address = try await transport.listeningAddress
      running.withLock { $0 = serving }
      return address.ipv4?.port ?? address.ipv6?.port ?? 0
    } catch {
      // Serving says why there is no address.
      try await serving.value
      throw error
    }
  }

  /// Waits until the process is told to stop; then takes no more requests, and ends when those in work are answered.
  public func run() async throws {
    guard let serving = running.withLock({ $0 }) else { return }
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await serving.value
      } onGracefulShutdown: {
        self.drain()
      }
    } onCancel: {
      serving.cancel()
    }
  }

  private func drain() {
    draining.begin()
    server.beginGracefulShutdown()
  }
}

extension InferenceRPCServer.Options {
  fileprivate var address: GRPCNIOTransportHTTP2Posix.SocketAddress {
    let host = host == "localhost" ? "127.0.0.1" : host
    return host.contains(":") ? .ipv6(host: host, port: port) : .ipv4(host: host, port: port)
  }

  fileprivate var security: HTTP2ServerTransport.Posix.TransportSecurity {
    guard let tls else { return .plaintext }
    return .tls(
      certificateChain: [.file(path: tls.certificate, format: .pem)],
      privateKey: .file(path: tls.key, format: .pem))
  }
}

/// Whether the server is about to stop. gRPC cancels calls then as it does when their clients are gone, and only this
/// tells which of both it is.
final class Draining: Sendable {
  private let flag = Atomic<Bool>(false)

  func begin() { flag.store(true, ordering: .releasing) }

  var hasBegun: Bool { flag.load(ordering: .acquiring) }
}
