import struct Apus.ApusError
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import OpenInference
import ServiceLifecycle
import Synchronization

/// Answers the Open Inference Protocol over gRPC, from when it is started until it is told to stop.
public final class InferenceRPCServer: Service {
  private let address: Options.Address
  private let transport: HTTP2ServerTransport.Posix
  private let server: GRPCServer<CallTransport>
  private let calls: Calls
  private let connections: RPCConnections
  private let lastWords: Duration
  private let running = Mutex<Task<Void, any Error>?>(nil)

  /// How long gRPC has to end once its connections are closed.
  private static let closing = Duration.seconds(1)

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
    lastWords = options.lastWords
    let connections = RPCConnections(limit: options.connections)
    self.connections = connections
    transport = HTTP2ServerTransport.Posix(
      address: try options.socketAddress(), transportSecurity: options.security,
      config: .defaults { config in
        // What is over its own limit has no status; so the calls' is the lower one.
        config.rpc.maxRequestPayloadSize = options.messageBytes + Options.excessWithStatus
        config.compression.enabledAlgorithms = [.gzip, .deflate]
        config.http2.maxConcurrentStreams = options.streams
        config.connection.maxIdleTime = options.idleTime
        config.channelDebuggingCallbacks.onAcceptTCPConnection = { channel in
          channel.eventLoop.makeCompletedFuture {
            // The first, so that no closing waits for what the client says to it.
            try channel.pipeline.syncOperations.addHandler(
              RPCConnectionHandler(connections, patience: options.idleTime + options.idleGrace),
              position: .first)
          }
        }
        config.channelDebuggingCallbacks.onAcceptHTTP2Stream = { stream in
          stream.eventLoop.makeCompletedFuture {
            let connection = stream.parent?.pipeline.syncOperations
            try? connection?.handler(type: RPCConnectionHandler.self).streamBegins(stream)
          }
        }
      })
    server = GRPCServer(
      transport: CallTransport(
        base: transport, calls: calls, messageBytes: options.messageBytes, messageTime: options.messageTime,
        observer: observer),
      services: [InferenceRPCs(service: service, calls: calls, observer: observer, isReady: isReady)],
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
  /// Cancelled, it ends what is still in work with the status `UNAVAILABLE`, also where clients read no status.
  public func run() async throws {
    guard let serving = running.withLock({ $0 }) else { return }
    let (endings, ending) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    Task {
      let result = await serving.result
      ending.yield(result)
      ending.finish()
    }
    // Not this task's own: cancelled, it would wait no more.
    let waiting = Task { await endings.first { _ in true } }
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        let result = await waiting.value
        try result?.get()
      } onGracefulShutdown: {
        self.drain()
      }
    } onCancel: {
      // First: a stream that is told only that no more is read ends as one that is done.
      self.calls.cut()
      self.drain()
      Task {
        try? await Task.sleep(for: self.lastWords)
        serving.cancel()
        // gRPC waits for clients to read, whether it is cancelled or not.
        self.connections.close()
        try? await Task.sleep(for: Self.closing)
        ending.finish()
      }
    }
  }

  private func drain() {
    calls.drain()
    server.beginGracefulShutdown()
  }
}
