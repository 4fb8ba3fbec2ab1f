import Apus
import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import ServingTestSupport
import Synchronization

@testable import ApusServer
@testable import ApusServing

/// The server's routes over small models, asked without a network.
struct TestServer {
  /// The root of the checkout.
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
    .joined(separator: "/")
  static let fixtures = root + "/Tests/Fixtures/transformers"

  /// `sentence` embeds texts, `stars` tells classes of them, `scenes` scores labels for pictures, `leaf` has classes of
  /// pictures.
  static let shared = Result {
    try TestServer([
      model("sentence", fixtures + "/bert-sentence"), model("stars", fixtures + "/bert-classifier"),
      model("scenes", root + "/Weights/scenes"),
      model("leaf", root + "/Weights/rice-leaf/rice_v1_int8.tflite"),
    ])
  }

  /// `sentence` and `scenes` alone, for tests that take models out of memory.
  static func small() throws -> TestServer {
    try TestServer([
      model("sentence", fixtures + "/bert-sentence"), model("scenes", root + "/Weights/scenes"),
    ])
  }

  private let models: ModelServer
  private let responder: any HTTPResponder<ServerContext>

  /// Those of tests that say no others: models may be loaded and unloaded.
  private static var options: ServerOptions {
    var options = ServerOptions()
    options.allowsModelControl = true
    return options
  }

  init(
    _ models: [ServedModelOptions], _ options: ServerOptions = options,
    limits: ServingLimits = .patient
  ) throws {
    self.models = try ModelServer(models, limits: limits)
    responder = HTTPServer.responder(ServerState(self.models, options))
  }

  /// Ends the requests whose time is over at a moment.
  func expireRequests(at now: ContinuousClock.Instant) {
    for model in models.models { model.expireRequests(at: now) }
  }

  static func model(_ name: String, _ path: String) -> ServedModelOptions {
    var options = ServedModelOptions(path, name: name)
    options.zeroShotLabels = ["three red circles", "two pink flowers"]
    return options
  }

  struct Answer {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The body as JSON.
    var json: JSONValue {
      get throws { try JSONValue.parse(body: bytes) }
    }
  }

  func post(_ path: String, _ body: String, type: String? = "application/json") async throws -> Answer {
    try await ask(.post, path, Array(body.utf8), type: type)
  }

  func get(_ path: String) async throws -> Answer { try await ask(.get, path) }

  func ask(
    _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], type: String? = nil,
    host: String? = "localhost", headers: [HTTPField.Name: String] = [:]
  ) async throws -> Answer {
    var head = HTTPRequest(method: method, scheme: "http", authority: host, path: path)
    head.headerFields[.contentType] = type
    for (name, value) in headers { head.headerFields[name] = value }
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let context = ServerContext(
      source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: logger))
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    let response = try await responder.respond(to: request, context: context)
    let collector = Collector()
    try await response.body.write(collector)
    return Answer(status: response.status.code, headers: response.headers, bytes: collector.bytes)
  }

  private final class Collector: ResponseBodyWriter {
    private let collected = Mutex<[UInt8]>([])
    var bytes: [UInt8] { collected.withLock(\.self) }

    func write(_ buffer: ByteBuffer) async throws {
      collected.withLock { $0 += Array(buffer.readableBytesView) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? {
    self[ExactText(key)]
  }

  subscript(index: Int) -> JSONValue? {
    if case .array(let values) = self, values.indices.contains(index) { values[index] } else { nil }
  }

  var list: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  var members: [Member]? { if case .object(let members) = self { members } else { nil } }
  var doubles: [Double]? { list?.compactMap(\.double) }
}
