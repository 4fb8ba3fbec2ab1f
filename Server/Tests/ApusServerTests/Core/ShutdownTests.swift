import ApusServing
import CLibrary
import Logging
import ServiceLifecycle
import ServingTestSupport
import Testing

@testable import ApusServer

/// A server that is told to stop: all of it at once, and what is in work has its time.
@Suite struct ShutdownTests {
  private static func logger() -> Logger {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
  }

  /// Says that it is told to stop, and ends when it is released or cancelled.
  private struct Companion: Service {
    private let told = AsyncStream.makeStream(of: Void.self)
    private let released = AsyncStream.makeStream(of: Void.self)

    func run() async throws {
      await withGracefulShutdownHandler {
        for await _ in released.stream { break }
      } onGracefulShutdown: {
        _ = told.continuation.yield()
      }
    }

    /// Waits until it is told.
    func isTold() async {
      for await _ in told.stream { break }
    }

    func release() { released.continuation.finish() }
  }

  /// A server without models that listens.
  private struct Serving {
    let path = RunningServer.freePath()
    let state: ServerState
    let group: ServiceGroup
    let work: Task<Void, any Error>

    init(
      drainTime: Duration, lastWords: Duration = .seconds(1), beside companions: [any Service] = []
    ) async throws {
      var options = ServerOptions()
      (options.address, options.isSealed, options.drainTime) = (.unixSocket(path), false, drainTime)
      (options.bodyTime, options.idleTime) = (.patience, Duration.patience * 2)
      options.lastWords = lastWords
      state = ServerState(try ModelServer([]), options)
      let (listening, listens) = AsyncStream.makeStream(of: Void.self)
      let server = Listening(
        server: HTTPServer(state, logger: ShutdownTests.logger()), companions: companions, listens: listens)
      // A signal ends the server by itself.
      let ending = ServiceGroupConfiguration.ServiceConfiguration(
        service: server, successTerminationBehavior: .gracefullyShutdownGroup)
      group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [ending], logger: ShutdownTests.logger()))
      work = Task { [group] in try await group.run() }
      for await _ in listening { break }
    }

    func answer(to request: String) async -> String? {
      await RunningServer(path: path).answer(to: request)
    }
  }

  private struct Listening: Service {
    let server: HTTPServer
    let companions: [any Service]
    let listens: AsyncStream<Void>.Continuation

    func run() async throws {
      defer { listens.finish() }
      try await server.run(beside: companions) { _ in _ = listens.yield() }
    }
  }

  /// A group that stops services in turn would tell the second when the first has ended.
  @Test(.timeLimit(.minutes(20))) func servicesAreToldAtOnce() async throws {
    let first = Companion(), second = Companion()
    let services = SimultaneousServices(services: [first, second], helpers: [], whenStopping: {})
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: [services], logger: Self.logger()))
    let work = Task { try await group.run() }
    await group.triggerGracefulShutdown()
    await first.isTold()
    await second.isTold()
    work.cancel()
    try await work.value
  }

  @Test(.timeLimit(.minutes(20))) func aServiceThatFailsEndsTheOthers() async throws {
    struct Failing: Service {
      func run() async throws { throw ServingError(.failed, "no") }
    }
    let services = SimultaneousServices(
      services: [Companion(), Failing()], helpers: [], whenStopping: {})
    await #expect(throws: ServingError.self) { try await services.run() }
  }

  /// While a companion is not done, nobody gets in any more.
  @Test(.timeLimit(.minutes(20))) func nobodyGetsInWhileOthersDrain() async throws {
    let companion = Companion()
    let serving = try await Serving(drainTime: .patience, beside: [companion])
    #expect(serving.state.isReady)
    await serving.group.triggerGracefulShutdown()
    await companion.isTold()
    #expect(!serving.state.isReady)
    // The socket is closed by a thread of its own.
    let request = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    #expect(await eventually { await serving.answer(to: request) == nil })
    companion.release()
    try await serving.work.value
  }

  /// A companion that does not end by itself holds the server for the time to drain, and no longer.
  @Test(.timeLimit(.minutes(20))) func drainingHasAnEnd() async throws {
    let companion = Companion()
    let serving = try await Serving(drainTime: .milliseconds(50), beside: [companion])
    await serving.group.triggerGracefulShutdown()
    try await serving.work.value
  }

  /// A request is in work from its head on.
  @Test(.timeLimit(.minutes(20))) func whatIsInWorkIsAnsweredAtTheCut() async throws {
    // The server is done when the answer is written, however long that may take.
    let serving = try await Serving(drainTime: .milliseconds(50), lastWords: .patience)
    let head = "POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nContent-Length: 25\r\n\r\n"
    let asking = Task { await serving.answer(to: head + "{") }
    while !serving.state.counts.prometheus.contains("apus_requests_in_progress 1\n") {
      try await Task.sleep(for: .milliseconds(5))
    }
    await serving.group.triggerGracefulShutdown()
    let answer = await asking.value ?? ""
    #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("The server is stopping."), "\(answer)")
    try await serving.work.value
    let counts = serving.state.counts.prometheus
    #expect(counts.contains("{result=\"failed\"} 1\n") && counts.contains("apus_requests_in_progress 0\n"))
  }

  /// In a process of its own, which the signal would end. What is in work has its own answer, not one that the server
  /// stops.
  @Test(.timeLimit(.minutes(20)), arguments: [SIGTERM, SIGINT, SIGHUP])
  func signalsLetWorkEnd(_ number: Int32) async {
    await #expect(processExitsWith: .success) { [number] in
      // Whoever runs the tests may have been started by nohup.
      signal(number, SIG_DFL)
      let serving = try await Serving(drainTime: .patience), state = serving.state
      let answer = await RunningServer(path: serving.path).answer(
        to: Self.waiting, then: [("\r\n\r\n", "{}")]
      ) {
        kill(getpid(), number)
        while !state.isDraining { usleep(1000) }
      }
      #expect(answer?.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 ") == true, "\(answer ?? "none")")
      try await serving.work.value
    }
  }

  /// A request whose client sends the body, two bytes, when it has leave.
  private static let waiting = """
    POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n
    """

  /// As `nohup` starts programs: the end of a terminal is not theirs.
  @Test(.timeLimit(.minutes(20))) func anIgnoredSignalEndsNothing() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      let serving = try await Serving(drainTime: .patience)
      kill(getpid(), SIGHUP)
      try await Task.sleep(for: .milliseconds(200))
      #expect(!serving.state.isDraining)
      kill(getpid(), SIGTERM)
      try await serving.work.value
    }
  }

  /// It is the server that leaves, and no client.
  @Test func whatIsCutIsToldWhy() throws {
    let state = ServerState(try ModelServer([]), ServerOptions())
    let before = state.reason(of: CancellationError())
    state.cut()
    let after = state.reason(of: CancellationError())
    let other = state.reason(of: ServingError(.invalid, "no"))
    #expect(before.kind == .cancelled && after.kind == .unavailable && other.kind == .invalid)
  }
}
