import ApusServing
import FoundationEssentials
import HTTPTypes
import Hummingbird
import InferenceProtocol
import Logging
import NIOCore
import NIOEmbedded
import ServingTestSupport
import Synchronization
import Testing

@testable import ApusServer

@Suite struct OpenInferenceRouteTests {
  private let state: ServerState

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let sentiment = root.appending(path: "Weights/sentiment").path
    var options = ServerOptions()
    options.allowsModelControl = true
    state = ServerState(
      try ModelServer([ServedModelOptions(sentiment, name: "a/b c")], limits: .patient), options)
  }

  private struct Answer {
    let status: Int
    let headers: HTTPFields
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private func ask(
    _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], headerLength: String? = nil
  ) async throws -> Answer {
    let context = ServerContext(
      source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
    var head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
    if let headerLength, let name = HTTPField.Name("Inference-Header-Content-Length") {
      head.headerFields[name] = headerLength
    }
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    let response = try await HTTPServer.router(state).buildResponder().respond(to: request, context: context)
    let writer = Collected()
    try await response.body.write(writer)
    return Answer(status: response.status.code, headers: response.headers, body: writer.bytes.withLock { $0 })
  }

  private static let plain = #"{"inputs":[{"name":"text","shape":[1],"datatype":"BYTES","data":["a joy"]}]}"#

  @Test func modelsAreFoundByNamesWithSlashesAndSpaces() async throws {
    for (path, status) in [
      ("/v2/models/a/b%20c", 200), ("/v2/models/a/b%20c/ready", 200), ("/v2/models/a%2Fb%20c/config", 200),
      ("/v2/models/a/b%20c/versions/1/stats", 200), ("/v2/models/stats", 200), ("/v2/models/b%20c", 200),
      ("/v2/models/a/b%20c/versions/2/ready", 404), ("/v2/models/a", 404), ("/v2/models/a/b%2", 400),
      ("/v2/models/%ff", 400), ("/v2/models/", 404), ("/v2/none", 404), ("/v2/models/a/b%20c/infer", 405),
      ("/v2", 200), ("/v2/health/live", 200),
    ] {
      let answer = try await ask(.get, path)
      #expect(answer.status == status, "\(path)")
      if status >= 400 {
        #expect(throws: Never.self) {
          try JSONDecoder().decode(InferenceErrorMessage.self, from: Data(answer.body))
        }
      }
    }
  }

  @Test func answersComeInTheFormThatIsAskedFor() async throws {
    let path = "/v2/models/a/b%20c/infer"
    let json = try await ask(.post, path, Array(Self.plain.utf8))
    #expect(json.status == 200 && json.headers[.contentType] == "application/json")
    #expect(json.text.hasPrefix(#"{"model_name":"a/b c","model_version":"1","outputs":[{"name":"scores","#))
    let header =
      #"{"inputs":[{"name":"text","shape":[1],"datatype":"BYTES","parameters":{"binary_data_size":5}}],"parameters":{"binary_data_output":true}}"#
    let binary = try await ask(
      .post, path, header.utf8 + [1, 0, 0, 0, 65], headerLength: "\(header.utf8.count)")
    #expect(binary.status == 200 && binary.headers[.contentType] == "application/octet-stream")
    let name = try #require(HTTPField.Name("Inference-Header-Content-Length"))
    let length = try #require(binary.headers[name].flatMap { Int($0) })
    #expect(binary.body[..<length].last == UInt8(ascii: "}") && binary.body.count > length)
  }

  @Test(arguments: ["", "{}", "[", #"{"inputs":[]}"#, #"{"inputs":7}"#])
  func bodiesThatAreNoRequestAreRefused(body: String) async throws {
    for headerLength in [nil, "1", "-1", "x", "99999999999999999999"] {
      let answer = try await ask(
        .post, "/v2/models/a/b%20c/infer", Array(body.utf8), headerLength: headerLength)
      #expect(answer.status == 400)
      #expect(throws: Never.self) {
        try JSONDecoder().decode(InferenceErrorMessage.self, from: Data(answer.body))
      }
    }
  }

  @Test func repositoriesListLoadAndUnload() async throws {
    #expect(try await ask(.post, "/v2/repository/models/a/b%20c/load").status == 200)
    #expect(
      try await ask(.post, "/v2/repository/index", Array(#"{"ready":true}"#.utf8)).text.contains("READY"))
    #expect(try await ask(.get, "/v2/health/ready").status == 200)
    #expect(
      try await ask(
        .post, "/v2/repository/models/a/b%20c/unload",
        Array(#"{"parameters":{"unload_dependents":false}}"#.utf8)
      ).status == 200)
    #expect(try await ask(.get, "/v2/models/a/b%20c/ready").status == 503)
    #expect(try await ask(.post, "/v2/models/a/b%20c/infer", Array(Self.plain.utf8)).status == 503)
    #expect(try await ask(.post, "/v2/repository/index", Array(#"{"ready":true}"#.utf8)).text == "[]")
    #expect(
      try await ask(
        .post, "/v2/repository/models/a/b%20c/load", Array(#"{"parameters":{"config":"{}"}}"#.utf8)
      ).status == 400)
    #expect(try await ask(.post, "/v2/repository/models/a/b%20c/load", Array("{".utf8)).status == 400)
    #expect(try await ask(.post, "/v2/repository/models/a/b%20c/stop").status == 404)
    #expect(try await ask(.post, "/v2/repository/models/load").status == 404)
  }
}

/// What a response writes.
private final class Collected: ResponseBodyWriter, Sendable {
  let bytes = Mutex<[UInt8]>([])

  func write(_ buffer: ByteBuffer) async throws { bytes.withLock { $0 += buffer.readableBytesView } }

  func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
