import ApusServing
import Hummingbird
import Logging
import NIOEmbedded
import Testing

@testable import ApusServer

@Suite struct HealthTests {
  @Test func aServerWithoutModelsIsReady() async throws {
    let state = ServerState(try ModelServer([]), ServerOptions())
    let responder = HTTPServer.router(state).buildResponder()
    let context = ServerContext(
      source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
    let request = Request(
      head: .init(method: .get, scheme: "http", authority: "localhost", path: "/health/ready"),
      body: .init(buffer: .init()))
    let response = try await responder.respond(to: request, context: context)
    #expect(response.status == .ok)
  }
}
