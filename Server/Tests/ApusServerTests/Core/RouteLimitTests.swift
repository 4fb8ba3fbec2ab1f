import ApusServing
import ServingTestSupport
import Testing

@testable import ApusServer

/// Every route has the limits of bytes, and those that put models to work those of what waits and of time.
@Suite struct RouteLimitTests {
  /// What needs no room of a model: a model's own words, lists, and what is refused. Searches have their own tests.
  private static let idle = [
    "/embed_all", "/api/show", "/api/search", "/v2/repository/index", "/v2/repository/models/{model}/load",
    "/v2/repository/models/{model}/unload",
  ]

  /// The paths of the routes to which something is posted, as they are described.
  private static func described() async throws -> [String] {
    let paths = try #require(try await TestServer([]).get("/openapi.json").json["paths"]?.members)
    return paths.filter { $0.value["post"] != nil }.map(\.key.text)
  }

  /// A new route is in one of the lists.
  @Test func everyRouteIsHeldToThem() async throws {
    let known = try RouteSample.all.get().map(\.path) + Self.idle
    #expect(try await Self.described().sorted() == known.sorted())
  }

  @Test(arguments: [(100, 10_000), (10_000, 100)])
  func bodiesOverTheLimitAreRefused(_ one: Int, _ all: Int) async throws {
    var options = ServerOptions()
    (options.bodyBytes, options.bodyBytesInAll, options.allowsModelControl) = (one, all, true)
    let server = try TestServer(
      [TestServer.model("sentence", TestServer.fixtures + "/bert-sentence")], options)
    let body = #"{"inputs": ""# + String(repeating: "a", count: 100) + #""}"#
    for path in try await Self.described() {
      let address = path.replacing("{model}", with: "sentence").replacing("{version}", with: "1")
      let answer = try await server.post(address, body)
      #expect(answer.status == 413, "\(address): \(answer.text)")
    }
  }

  /// The limits of a server where so much may wait of everything.
  private static func limits(_ waiting: Int) -> ServingLimits {
    var limits = ServingLimits.patient
    (limits.waitingTokens, limits.waitingPixels, limits.waitingTensorBytes) = (waiting, waiting, waiting)
    return limits
  }

  @Test func whatCanNeverWaitIsRefused() async throws {
    for sample in try RouteSample.all.get() {
      let answer = try await sample.server(Self.limits(0)).post(sample.address("m"), sample.body)
      #expect(answer.status == 413, "\(sample.path): \(answer.text)")
      let usual = try await sample.server().post(sample.address("m"), sample.body)
      #expect(usual.status == 200, "\(sample.path): \(usual.text)")
    }
  }

  /// Where one request may wait, others that come meanwhile are refused, and none fails otherwise.
  @Test(.timeLimit(.minutes(20))) func whatCannotWaitNowIsRefused() async throws {
    for sample in try RouteSample.all.get() {
      let server = try await Self.narrowServer(sample)
      let isFull = try await eventually {
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<40 {
            group.addTask { try await server.post(sample.address("m"), sample.body).status }
          }
          return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        try #require(statuses.isSubset(of: [200, 429]), "\(sample.path): \(statuses)")
        return statuses.contains(429)
      }
      #expect(isFull, "\(sample.path)")
    }
  }

  /// A server at which one such request has room, and two have not: half of what waits there is too little for one.
  private static func narrowServer(_ sample: RouteSample) async throws -> TestServer {
    for waiting in (0..<30).map({ 1 << $0 }) {
      let server = try sample.server(limits(waiting))
      let answer = try await server.post(sample.address("m"), sample.body)
      if answer.status != 413 { return server }
    }
    throw RequestFault(.tooLarge, "\(sample.path) never has room")
  }

  /// A request whose time is over ends, wherever it is by then, and no sooner.
  @Test(.timeLimit(.minutes(20))) func requestsHaveTheirTime() async throws {
    let time = Duration.seconds(3600)
    var limits = ServingLimits()
    limits.requestTime = time
    for sample in try RouteSample.all.get() {
      let server = try sample.server(limits)
      let early = try await Self.status(of: sample, at: server, after: time / 2)
      #expect(early == 200, "\(sample.path)")
      let isLate = try await eventually {
        let status = try await Self.status(of: sample, at: server, after: time * 2)
        try #require([200, 503].contains(status), "\(sample.path): \(status)")
        return status == 503
      }
      #expect(isLate, "\(sample.path)")
    }
  }

  /// How a request is answered whose server believes all the while that so much time has gone by.
  private static func status(
    of sample: RouteSample, at server: TestServer, after time: Duration
  ) async throws -> Int {
    let clock = Task {
      while !Task.isCancelled {
        server.expireRequests(at: .now + time)
        await Task.yield()
      }
    }
    defer { clock.cancel() }
    return try await server.post(sample.address("m"), sample.body).status
  }
}
