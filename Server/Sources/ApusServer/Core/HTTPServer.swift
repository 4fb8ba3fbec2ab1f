import Apus
import ApusService
import ApusServing
import CLibrary
import CStreams
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The server: routes over models, until it is told to stop.
public struct HTTPServer: Sendable {
  private let state: ServerState
  private let logger: Logger

  /// A server that does not listen yet.
  /// - Parameters:
  ///   - state: what its routes share.
  ///   - logger: what is told of every request.
  public init(_ state: ServerState, logger: Logger) { (self.state, self.logger) = (state, logger) }

  /// The threads that wait for what comes in, of all servers of a process together, unless they are limited.
  public static let connectionThreads = System.coreCount

  private static let isLimited = Atomic(false)

  /// Has fewer of them. To be called before there is a server; what is called later changes nothing.
  public static func limitConnectionThreads(_ count: Int) {
    // SwiftNIO ends the process where its number is set twice, or after it was asked for.
    guard count < connectionThreads, !isLimited.exchange(true, ordering: .relaxed) else { return }
    NIOSingletons.groupLoopCountSuggestion = count
  }

  /// What answers requests: all routes, and what each request passes before them.
  static func router(_ state: ServerState) -> Router<ServerContext> {
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    let described = DescribedRoutes(state: state)
    router.add(middleware: AnswerMiddleware(state: state, dialects: Dialects(described.endpoints)))
    router.add(middleware: HostMiddleware(state.options))
    router.add(middleware: KeyMiddleware(state.options))
    router.add(middleware: ExactPathMiddleware())
    described.add(to: router)
    OpenInferenceRoutes(state: state).add(to: router)
    return router
  }

  /// The routes behind the path of the public address.
  static func responder(_ state: ServerState) -> PrefixResponder<RouterResponder<ServerContext>> {
    PrefixResponder(base: router(state).buildResponder(), prefix: state.options.publicURL?.path ?? "")
  }

  /// Listens, opens the models, and answers until a signal (SIGTERM, SIGINT, SIGHUP) ends it. From then on there are no more
  /// connections, and what is in work has ``ServerOptions/drainTime``; what is not done by then is answered that the server
  /// is stopping.
  /// - Parameters:
  ///   - companions: services that run beside it, and are told to stop when it is. Cancelled after the time to drain, they
  ///     are to end within moments. They open no sockets: the process is sealed.
  ///   - whenListening: called with the address in use, as soon as connections are taken.
  public func run(
    beside companions: [any Service] = [], whenListening: @escaping @Sendable (String) -> Void
  ) async throws {
    let options = state.options
    try options.address.check()
    let ownMask = UnixSocket.tighten(options.unixMode)
    let application = Application(
      responder: CancellingResponder(
        connections: state.connections, base: Self.responder(state)), server: try channels(),
      configuration: ApplicationConfiguration(
        address: options.address.bindAddress, serverName: "apus", backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(options.connections)),
      onServerRunning: { channel in
        UnixSocket.loosen(ownMask, options.address, options.unixMode)
        await begin(channel, whenListening)
      }, logger: logger)
    let listener: any Service = HTTPListener(state: state, application: application)
    let services = SimultaneousServices(
      services: [listener] + companions,
      helpers: [
        Housekeeping(state: state), ModelLog(state.models, photos: state.photos, logger),
        ModelLoading(state: state, logger: logger),
      ],
      whenStopping: { state.isDraining = true })
    // The end of a terminal ends no server that was started to outlive it (nohup).
    var group = ServiceGroupConfiguration(
      services: [services],
      gracefulShutdownSignals: apus_is_ignored(SIGHUP) ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup],
      logger: logger)
    group.maximumGracefulShutdownDuration = options.drainTime
    do {
      try await ServiceGroup(configuration: group).run()
    } catch let error as IOError {
      throw cannotListen(String(cString: strerror(error.errnoCode)))
    } catch let error as SocketAddressError.UnknownHost {
      throw cannotListen(error.errorDescription)
    }
  }

  private func cannotListen(_ reason: String) -> ApusError {
    let address = state.options.address
    return address.refusal(reason, at: address.text(nil, isSecure: state.options.tls != nil))
  }

  private func channels() throws -> HTTPServerBuilder {
    let options = state.options, connections = state.connections
    let idleTime = TimeAmount.nanoseconds(Int64(clamping: Int(options.idleTime / .nanoseconds(1))))
    let plain = HTTPServerBuilder { responder in
      ServerChannel(
        base: HTTP1Channel(
          responder: responder,
          configuration: HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionHandler(connections)], idleTimeout: idleTime)),
        idleTime: idleTime)
    }
    guard let tls = options.tls else { return plain }
    return try .tls(plain, tlsConfiguration: try tls.configuration())
  }

  private func begin(_ channel: any Channel, _ whenListening: @Sendable (String) -> Void) async {
    try? await channel.eventLoop.submit { [logger] in
      let pause = AcceptPauseHandler { reason in
        logger.warning(
          "connections wait, as the system has no room for more", metadata: ["reason": "\(reason)"])
      }
      try channel.pipeline.syncOperations.addHandler(pause, position: .first)
    }.get()
    if state.options.isSealed {
      do throws(ApusError) {
        try Privacy.seal(.answering)
      } catch {
        logger.warning("the process is not sealed", metadata: ["error": "\(error)"])
      }
    }
    whenListening(state.options.address.text(channel.localAddress?.port, isSecure: state.options.tls != nil))
  }
}

/// What a server does beside its requests: closes connections whose bodies come too slowly, until it is cancelled.
struct Housekeeping: Service {
  let state: ServerState

  func run() async throws {
    let limit = TimeAmount(state.options.bodyTime), patience = TimeAmount(state.models.limits.requestTime)
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      state.connections.closeSlow(limit, patience: patience)
    }
  }
}

/// Answers over HTTP. Told to stop, it takes no more connections and ends with the last request; cancelled while it stops,
/// it has what is still in work answered that the server is stopping.
struct HTTPListener: Service {
  let state: ServerState
  let application: any Service

  func run() async throws {
    // Not a part of this task: cancelled, it could write nothing more.
    let serving = Task { try await application.run() }
    try await withTaskCancellationHandler {
      try await serving.value
    } onCancel: {
      guard state.isDraining else {
        serving.cancel()
        return
      }
      state.cut()
      Task {
        try? await Task.sleep(for: state.options.lastWords)
        serving.cancel()
      }
    }
  }
}
