import ServingTestSupport
import Testing

@testable import OpenInferenceGRPC

/// Connections of clients that do not behave.
@Suite struct RPCConnectionTests {
  /// gRPC itself waits for such a client, whether it is cancelled or not.
  @Test(.timeLimit(.minutes(20))) func whoReadsNothingDoesNotHoldTheServer() async throws {
    let path = RunningRPCServer.freePath(), observer = RunningRPCServer.Observer()
    let (server, _) = try await RunningRPCServer.start(
      .unixSocket(path), observer, change: { $0.lastWords = .milliseconds(50) })
    let work = Task { try await server.run() }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    Task {
      _ = await work.result
      end.yield()
      end.finish()
    }
    let client = await DeafClient(path)
    defer { client.close() }
    let lines = await observer.lines(1)
    work.cancel()
    var hasEnded = false
    for await _ in ends { hasEnded = true }
    #expect(lines == ["inference.GRPCInferenceService/ServerLive 0"] && hasEnded)
    let isClosed = await client.isClosed()
    #expect(isClosed)
  }

  /// One that says nothing, not even that it heard that it should end; one with a call in work stays.
  @Test(.timeLimit(.minutes(20)), arguments: [false, true])
  func silentConnectionsAreClosed(_ asks: Bool) async throws {
    let path = RunningRPCServer.freePath(), observer = RunningRPCServer.Observer()
    let (server, _) = try await RunningRPCServer.start(
      .unixSocket(path), observer,
      change: {
        $0.idleTime = .milliseconds(100)
        $0.idleGrace = .milliseconds(100)
      })
    let work = Task { try await server.run() }
    defer { work.cancel() }
    let client = await DeafClient(path, asks: asks)
    let closed = Task { await client.isClosed() }
    let (first, begin) = AsyncStream.makeStream(of: Bool.self)
    Task { begin.yield(await closed.value) }
    Task {
      try await Task.sleep(for: .milliseconds(asks ? 600 : 1_200_000))
      begin.yield(false)
    }
    let isClosed = await first.first { _ in true }
    #expect(isClosed == !asks)
    client.close()
  }

  /// One that leaves makes room for another.
  @Test(.timeLimit(.minutes(20))) func oneConnectionTooManyIsClosed() async throws {
    let path = RunningRPCServer.freePath(), observer = RunningRPCServer.Observer()
    let (server, _) = try await RunningRPCServer.start(
      .unixSocket(path), observer, change: { $0.connections = 1 })
    let work = Task { try await server.run() }
    defer { work.cancel() }
    let first = await DeafClient(path)
    let lines = await observer.lines(1)
    let second = await DeafClient(path)
    let isClosed = await second.isClosed()
    second.close()
    first.close()
    #expect(lines.count == 1 && isClosed)
    // The server is told of it in its own time.
    let isLetIn = try await eventually {
      let next = await DeafClient(path)
      defer { next.close() }
      try await Task.sleep(for: .milliseconds(20))
      return await observer.lines(0).count > 1
    }
    #expect(isLetIn)
  }
}
