import Testing

@testable import ApusServer

@Suite struct RequestCountsTests {
  private func count(_ sample: String, _ server: TestServer) async throws -> Int? {
    let lines = try await server.get("/metrics").text.split(separator: "\n")
    let line = lines.first { $0.hasPrefix(sample + " ") }
    return line.flatMap { Int($0.dropFirst(sample.count + 1)) }
  }

  /// A client that is gone has no answer, of no kind.
  @Test func whoIsGoneIsNotAnswered() async throws {
    let server = try TestServer([])
    let asking = Task { () async throws -> Int in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await server.ask(.post, "/embed", Array("{}".utf8)).status
    }
    _ = await asking.result
    for result in ["refused", "overloaded", "failed"] {
      let counted = try await count("apus_requests_total{result=\"\(result)\"}", server)
      #expect(counted == 0, "\(result)")
    }
    // The request for the measurements.
    let working = try await count("apus_requests_in_progress", server)
    #expect(working == 1)
  }

  @Test func answersAreCounted() async throws {
    let server = try TestServer([])
    let status = try await server.get("/nothing").status
    let refused = try await count("apus_requests_total{result=\"refused\"}", server)
    #expect(status == 404 && refused == 1)
  }
}
