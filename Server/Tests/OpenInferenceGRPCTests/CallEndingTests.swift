import FoundationEssentials
import GRPCCore
import Testing

@testable import ApusServing
@testable import OpenInferenceGRPC

/// What clients are told of calls that are stopped, and the observer.
@Suite struct CallEndingTests {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    .joined(separator: "/")
  private static let fixture = root + "/Tests/Fixtures/transformers/bert-sentence"
  private static let sentence = ServedModelOptions(fixture, name: "sentence")

  private func line(_ method: String, _ code: Int) -> String {
    "inference.GRPCInferenceService/\(method) \(code)"
  }

  /// A call is in work before its message is there.
  @Test(.timeLimit(.minutes(20)), arguments: ["ModelInfer", "ModelStreamInfer"])
  func aCallHasTheTimeThatItsClientGives(_ method: String) async throws {
    try await RunningRPCServer.with { server in
      // The client has no timer of its own, so that the status is the server's.
      let error = await #expect(throws: RPCError.self) {
        try await server.beginAsking(method, metadata: ["grpc-timeout": "50m"])
      }
      let lines = await server.observer.lines(1)
      #expect(error?.code == .deadlineExceeded && lines == [line(method, 4)])
    }
  }

  /// Whoever opens a stream may have nothing to ask yet.
  @Test(
    .timeLimit(.minutes(20)),
    arguments: [("ModelInfer", "The message did not come"), ("ModelStreamInfer", "that the client gave")])
  func aMessageHasItsTime(_ method: String, _ reason: String) async throws {
    try await RunningRPCServer.with(change: { $0.messageTime = .milliseconds(50) }) { server in
      let error = await #expect(throws: RPCError.self) {
        try await server.beginAsking(method, metadata: ["grpc-timeout": "1S"])
      }
      let message = error?.message ?? ""
      #expect(error?.code == .deadlineExceeded && message.contains(reason), "\(message)")
    }
  }

  /// Clients are told of no folder.
  @Test func theObserverIsToldWhyACallFails() async throws {
    let name = "rpc-\(UInt64.random(in: 0 ... .max))"
    let folder = FileManager.default.temporaryDirectory.appending(path: name).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.copyItem(atPath: Self.fixture, toPath: folder)
    try await RunningRPCServer.with([ServedModelOptions(folder, name: "sentence")]) { server in
      try FileManager.default.removeItem(atPath: folder)
      let question = Inference_RepositoryModelLoadRequest.with { $0.modelName = "sentence" }
      let error = await #expect(throws: RPCError.self) {
        try await server.ask("RepositoryModelLoad", question, Inference_RepositoryModelLoadResponse.self)
      }
      let message = error?.message ?? "", failure = server.observer.failures.first ?? ""
      #expect(failure.contains("/RepositoryModelLoad ") && failure.contains(name), "\(failure)")
      #expect(!message.isEmpty && !message.contains(name), "\(message)")
    }
  }

  @Test(.timeLimit(.minutes(20)), arguments: ["ModelInfer", "ModelStreamInfer"])
  func aCallThatIsCutIsToldThatTheServerStops(_ method: String) async throws {
    try await RunningRPCServer.with { server in
      let asking = Task { try await server.beginAsking(method) }
      try await server.observer.hasCall()
      server.work.cancel()
      let error = await #expect(throws: RPCError.self) { try await asking.value }
      let lines = await server.observer.lines(1)
      #expect(error?.code == .unavailable && lines == [line(method, 14)])
    }
  }

  /// A load waits for who still has what was there before.
  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func workForACallIsStopped(_ hasDeadline: Bool) async throws {
    try await RunningRPCServer.with([Self.sentence]) { server in
      let model = server.models.models[0]
      try await model.load()
      let held = try await model.opened(model.forms.textEmbedder)
      defer { withExtendedLifetime(held) {} }
      await model.unload()
      let question = Inference_RepositoryModelLoadRequest.with { $0.modelName = "sentence" }
      let metadata: Metadata = hasDeadline ? ["grpc-timeout": "50m"] : [:]
      let asking = Task {
        try await server.ask(
          "RepositoryModelLoad", question, Inference_RepositoryModelLoadResponse.self, metadata: metadata)
      }
      try await server.observer.hasCall()
      if !hasDeadline { server.work.cancel() }
      let error = await #expect(throws: RPCError.self) { _ = try await asking.value }
      let lines = await server.observer.lines(1)
      let code = hasDeadline ? 4 : 14
      #expect(error?.code.rawValue == code && lines == [line("RepositoryModelLoad", code)])
      #expect(model.state == .withdrawn)
    }
  }

  /// The longest that can be written, and one for which gRPC would end the process.
  @Test(.timeLimit(.minutes(20)), arguments: ["99999999H", "-1S", "x"])
  func timesOfAnySizeDoNoHarm(_ time: String) async throws {
    try await RunningRPCServer.with { server in
      let question = Inference_ServerLiveRequest(), metadata: Metadata = ["grpc-timeout": "\(time)"]
      let answer = try await server.ask(
        "ServerLive", question, Inference_ServerLiveResponse.self, metadata: metadata)
      #expect(answer.live)
    }
  }
}
