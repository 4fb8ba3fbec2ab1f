import struct Apus.ApusError
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import OpenInference
import ServiceLifecycle
import Synchronization

/// Answers the Open Inference Protocol over gRPC, from when it is started until it is told to stop.
public final class InferenceRPCServer: Service {
  private let address: Options.Address
  private let transport: HTTP2ServerTransport.Posix
  private let server: GRPCServer<CallTransport>
  private let calls: Calls
  private let running = Mutex<Task<Void, any Error>?>(nil)

  /// What calls that are cut have to get their status to their clients.
  private static let lastWords = Duration.seconds(1)

  /// - Parameters:
  ///   - observer: is told of every call.
  ///   - isReady: whether every model answers.
  /// - Throws: ``ApusError`` of kind `argument` for an address that is not this computer's.
  public init(
    _ service: OpenInferenceService, _ options: Options, observer: any RPCObserver,
    isReady: @escaping @Sendable () -> Bool
  ) throws(ApusError) {
    address = options.address
    calls = Calls()
    transport = HTTP2ServerTransport.Posix(
      address: try options.socketAddress(), transportSecurity: options.security,
      config: .defaults { config in
        // What is over its own limit has no status; so the calls' is the lower one.
        config.rpc.maxRequestPayloadSize = options.messageBytes * 2
        config.compression.enabledAlgorithms = [.gzip, .deflate]
        config.http2.maxConcurrentStreams = options.streams
      })
    server = GRPCServer(
      transport: CallTransport(
        base: transport, calls: calls, messageBytes: options.messageBytes, observer: observer),
      services: [InferenceRPCs(service: service, calls: calls, isReady: isReady)],
      interceptors: options.keys.isEmpty ? [] : [KeyInterceptor(options.keys)])
  }

  /// Listens, and takes requests from now on.
  /// - Returns: the port in use; nil for a socket of the file system.
  /// - Throws: ``ApusError`` of kind `argument` with what keeps it from listening.
  public func start() async throws(ApusError) -> Int? {
    let serving = Task { [server] in try await server.serve() }
    do {
      let address = try await transport.listeningAddress
      running.withLock { $0 = serving }
      return address.ipv4?.port ?? address.ipv6?.port
    } catch {
      // It may listen all the same, and is of no use where nobody knows where.
      server.beginGracefulShutdown()
      serving.cancel()
      guard case .failure(let failure) = await serving.result else { throw address.refusal(error) }
      // Serving says why there is no address, unless it was ended for that.
      let reason = (failure as? RuntimeError)?.cause ?? failure
      throw address.refusal(reason is CancellationError ? error : reason)
    }
  }

  /// Waits until the process is told to stop; then takes no more requests, and ends when those in work are answered.
  /// Cancelled, it ends what is still in work with the status `UNAVAILABLE`.
  public func run() async throws {
    guard let serving = running.withLock({ $0 }) else { return }
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await serving.value
      } onGracefulShutdown: {
        self.drain()
      }
    } onCancel: {
      // First: a stream that is told only that no more is read ends as one that is done.
      self.calls.cut()
      self.drain()
      Task {
        try? await Task.sleep(for: Self.lastWords)
        serving.cancel()
      }
    }
  }

  private func drain() {
    calls.drain()
    server.beginGracefulShutdown()
  }
}
