import Apus
import GRPCCore
import Testing

@testable import OpenInferenceGRPC

/// What clients see of the server itself.
@Suite struct InferenceRPCServerTests {
  /// As Triton's server says it; clients of HTTP get false for it too.
  @Test func aModelThatThereIsNotIsNotReady() async throws {
    try await RunningRPCServer.with { server in
      let question = Inference_ModelReadyRequest.with { $0.name = "none" }
      let answer = try await server.ask("ModelReady", question, Inference_ModelReadyResponse.self)
      #expect(!answer.ready)
    }
  }

  @Test func aMessageThatIsTooLongHasAStatus() async throws {
    try await RunningRPCServer.with(messageBytes: 1000) { server in
      let question = Inference_ModelReadyRequest.with { $0.name = String(repeating: "a", count: 1500) }
      let error = await #expect(throws: RPCError.self) {
        try await server.ask("ModelReady", question, Inference_ModelReadyResponse.self)
      }
      #expect(error?.code == .resourceExhausted && error?.message.contains("1000 bytes") == true)
    }
  }

  /// It is not kept for a status.
  @Test func aMessageThatIsMuchTooLongIsReset() async throws {
    try await RunningRPCServer.with(messageBytes: 100_000) { server in
      let question = Inference_ModelReadyRequest.with { $0.name = String(repeating: "a", count: 190_000) }
      let error = await #expect(throws: RPCError.self) {
        try await server.ask("ModelReady", question, Inference_ModelReadyResponse.self)
      }
      #expect(error?.code != .resourceExhausted)
    }
  }

  @Test func aVersionThatNoModelHasHasNoStatistics() async throws {
    try await RunningRPCServer.with { server in
      let question = Inference_ModelStatisticsRequest.with { $0.version = "3" }
      let error = await #expect(throws: RPCError.self) {
        try await server.ask("ModelStatistics", question, Inference_ModelStatisticsResponse.self)
      }
      #expect(error?.code == .notFound)
    }
  }

  /// Also of a method that there is not. A client may have its answer before the call is told of.
  @Test func everyCallIsToldOf() async throws {
    try await RunningRPCServer.with { server in
      let question = Inference_ServerLiveRequest()
      _ = try await server.ask("ServerLive", question, Inference_ServerLiveResponse.self)
      _ = try? await server.ask("Nothing", question, Inference_ServerLiveResponse.self)
      let lines = await server.observer.lines(2).sorted()
      let service = "inference.GRPCInferenceService"
      #expect(lines == ["\(service)/Nothing 12", "\(service)/ServerLive 0"])
    }
  }

  @Test func namesOfThisComputerAreResolved() throws {
    var options = InferenceRPCServer.Options()
    options.address = .host("localhost", port: 8001)
    let address = try options.socketAddress()
    #expect(["127.0.0.1", "::1"].contains(address.ipv4?.host ?? address.ipv6?.host))
    options.address = .host("nobody.invalid", port: 8001)
    let unknown = options
    let error = #expect(throws: ApusError.self) { try unknown.socketAddress() }
    #expect(error?.kind == .argument && error?.location == "nobody.invalid:8001")
  }

  /// Also without anybody having waited for the first.
  @Test func aPortInUseIsAnArgumentThatIsWrong() async throws {
    let (first, found) = try await RunningRPCServer.start(.host("127.0.0.1", port: 0))
    let work = Task { try await first.run() }
    defer { work.cancel() }
    let port = try #require(found)
    let error = await #expect(throws: ApusError.self) {
      _ = try await RunningRPCServer.start(.host("127.0.0.1", port: port))
    }
    #expect(error?.kind == .argument && error?.problem.contains("cannot listen for gRPC: Address") == true)
  }

  @Test func addressesAreWrittenAsClientsTakeThem() {
    typealias Address = InferenceRPCServer.Options.Address
    #expect(Address.host("::1", port: 0).text(7) == "[::1]:7")
    #expect(Address.host("a", port: 7).text() == "a:7")
    #expect(Address.unixSocket("/a").text() == "unix:/a")
  }
}
