import ApusServing
import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCProtobuf
import OpenInference
import ServingTestSupport
import SwiftProtobuf
import Synchronization

@testable import OpenInferenceGRPC

/// A server that listens on a socket of the file system, and a client of it.
struct RunningRPCServer {
  let client: GRPCClient<HTTP2ClientTransport.Posix>
  let observer: Observer
  let models: ModelServer
  /// What serves; cancelled, it cuts what is in work.
  let work: Task<Void, any Error>

  static func freePath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "rpc-\(UInt64.random(in: 0 ... .max))").path()
  }

  static func start(
    _ address: InferenceRPCServer.Options.Address, _ observer: Observer = Observer(),
    _ models: ModelServer? = nil, messageBytes: Int = 1 << 20,
    change: (inout InferenceRPCServer.Options) -> Void = { _ in }
  ) async throws -> (server: InferenceRPCServer, port: Int?) {
    var options = InferenceRPCServer.Options()
    (options.address, options.messageBytes) = (address, messageBytes)
    change(&options)
    let service = OpenInferenceService(
      try models ?? ModelServer([]), serverVersion: "0", allowsModelControl: true)
    let server = try InferenceRPCServer(service, options, observer: observer) { true }
    let port = try await server.start()
    return (server, port)
  }

  /// Serves until the body has ended.
  static func with(
    _ options: [ServedModelOptions] = [], messageBytes: Int = 1 << 20,
    change: (inout InferenceRPCServer.Options) -> Void = { _ in },
    _ body: @Sendable (RunningRPCServer) async throws -> Void
  ) async throws {
    let path = freePath(), observer = Observer(), models = try ModelServer(options, limits: .patient)
    let (server, _) = try await start(
      .unixSocket(path), observer, models, messageBytes: messageBytes, change: change)
    let work = Task { try await server.run() }
    defer { work.cancel() }
    let transport = try HTTP2ClientTransport.Posix(
      target: .unixDomainSocket(path: path), transportSecurity: .plaintext)
    try await withGRPCClient(transport: transport) { client in
      try await body(RunningRPCServer(client: client, observer: observer, models: models, work: work))
    }
  }

  func ask<Question: SwiftProtobuf.Message, Answer: SwiftProtobuf.Message>(
    _ method: String, _ question: Question, _ type: Answer.Type, metadata: Metadata = [:]
  ) async throws -> Answer {
    try await client.unary(
      request: ClientRequest(message: question, metadata: metadata), descriptor: Self.descriptor(method),
      serializer: ProtobufSerializer<Question>(), deserializer: ProtobufDeserializer<Answer>(),
      options: .defaults
    ) { response in
      try response.message
    }
  }

  /// Begins to ask for an inference, and sends no message as long as there is no answer.
  func beginAsking(_ method: String, metadata: Metadata = [:]) async throws {
    let request = StreamingClientRequest(of: Inference_ModelInferRequest.self, metadata: metadata) { _ in
      try await Task.sleep(for: .patience)
    }
    try await client.bidirectionalStreaming(
      request: request, descriptor: Self.descriptor(method),
      serializer: ProtobufSerializer<Inference_ModelInferRequest>(),
      deserializer: ProtobufDeserializer<Inference_ModelInferResponse>(), options: .defaults
    ) { response in
      for try await _ in response.messages {}
    }
  }

  private static func descriptor(_ method: String) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "inference.GRPCInferenceService", method: method)
  }

  /// Keeps what it is told.
  final class Observer: RPCObserver {
    private let kept = Mutex<[String]>([])
    private let failed = Mutex<[String]>([])
    private let begun = Atomic<Int>(0)

    /// Of calls that failed, the method and the reason.
    var failures: [String] { failed.withLock { $0 } }

    /// Of calls that have ended, the method and the number of the status, when there are so many. A client may have its
    /// answer before the call is told of.
    func lines(_ count: Int) async -> [String] {
      _ = await eventually { kept.withLock { $0.count } >= count }
      return kept.withLock { $0 }
    }

    /// Waits until a call has come in.
    func hasCall() async throws {
      while begun.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    func callBegins() { begun.wrappingAdd(1, ordering: .relaxed) }

    func callEnds(_ method: String, _ outcome: RPCOutcome, after time: Duration) {
      let line = "\(method) \(outcome.code)"
      kept.withLock { $0.append(line) }
    }

    func callFails(_ method: String, _ error: ServingError) {
      let line = "\(method) \(error)"
      failed.withLock { $0.append(line) }
    }
  }
}
