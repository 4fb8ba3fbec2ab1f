import ApusServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import ApusServer

/// What the log has of requests that fail.
@Suite struct FailureLogTests {
  /// What clients are not told, whatever its status, but nothing of those that are gone.
  @Test(arguments: [
    (ServingError(.unavailable, "There is no memory.", detail: "3 of 2 GiB"), true),
    (ServingError(.failed, "The server failed."), true),
    (ServingError(.cancelled, "The client is gone.", detail: "cancelled"), false),
    (ServingError(.unavailable, "The model was unloaded."), false), (ServingError(.invalid, "No."), false),
  ])
  func reasonsThatClientsAreNotToldAreLogged(_ error: ServingError, _ isLogged: Bool) async throws {
    let (lines, writes) = AsyncStream.makeStream(of: [UInt8].self)
    let logger = Logger(label: "test") { label in JSONLogHandler(label: label) { _ = writes.yield($0) } }
    let context = ServerContext(
      source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: logger))
    let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/a")
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    let middleware = AnswerMiddleware(
      state: ServerState(try ModelServer([]), ServerOptions()), dialects: Dialects([]))
    _ = try await middleware.handle(request, context: context) { _, _ in throw error }
    writes.finish()
    var log = ""
    for await line in lines { log += String(decoding: line, as: UTF8.self) }
    #expect(log.contains("a request failed") == isLogged, "\(log)")
    if isLogged { #expect(log.contains(error.detail ?? error.message), "\(log)") }
  }
}
