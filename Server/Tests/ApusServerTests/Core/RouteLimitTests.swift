import ApusServing
import ServingTestSupport
import Testing

@testable import ApusServer

/// Every route has the limits of bytes, and those that have models work the limit of what waits.
@Suite struct RouteLimitTests {
  /// The addresses of the routes that take a body.
  private static func addresses() async throws -> [String] {
    guard case .object(let paths)? = try await TestServer.small().get("/openapi.json").json["paths"] else {
      throw RequestFault.missing("paths")
    }
    return paths.filter { $0.value["post"]?["requestBody"] != nil }.map { path, _ in
      path.text.replacing("{model}", with: "sentence").replacing("{version}", with: "1")
    }
  }

  private static func server(_ change: (inout ServerOptions, inout ServingLimits) -> Void) throws
    -> TestServer
  {
    var (options, limits) = (ServerOptions(), ServingLimits.patient)
    change(&options, &limits)
    return try TestServer(
      [
        TestServer.model("sentence", TestServer.fixtures + "/bert-sentence"),
        TestServer.model("stars", TestServer.fixtures + "/bert-classifier"),
      ], options, limits: limits)
  }

  @Test(arguments: [(100, 10_000), (10_000, 100)])
  func bodiesOverTheLimitAreRefused(_ one: Int, _ all: Int) async throws {
    let server = try Self.server { options, _ in (options.bodyBytes, options.bodyBytesInAll) = (one, all) }
    let addresses = try await Self.addresses()
    #expect(addresses.count > 12)
    let body = #"{"inputs": ""# + String(repeating: "a", count: 100) + #""}"#
    for address in addresses {
      let answer = try await server.post(address, body)
      #expect(answer.status == 413, "\(address): \(answer.text)")
    }
  }

  @Test(arguments: [
    ("/embed", #"{"inputs": "a cat on a mat"}"#), ("/tokenize", #"{"inputs": "a cat on a mat"}"#),
    ("/decode", #"{"ids": [1, 2, 3]}"#), ("/predict", #"{"inputs": "a cat on a mat"}"#),
    ("/v1/embeddings", #"{"model": "sentence", "input": "a cat on a mat"}"#),
    ("/api/embed", #"{"model": "sentence", "input": "a cat on a mat"}"#),
    ("/api/embeddings", #"{"model": "sentence", "prompt": "a cat on a mat"}"#),
    ("/api/classify-text", #"{"text": "a cat on a mat"}"#),
  ])
  func whatCannotWaitIsRefused(_ path: String, _ body: String) async throws {
    let server = try Self.server { _, limits in limits.waitingTokens = 1 }
    let answer = try await server.post(path, body)
    #expect(answer.status == 413, "\(path): \(answer.text)")
    let usual = try await Self.server { _, _ in }.post(path, body)
    #expect(usual.status == 200, "\(path): \(usual.text)")
  }
}
