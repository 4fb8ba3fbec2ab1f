import Apus
import CLibrary
import FoundationEssentials
import Testing

@testable import ApusServer

@Suite struct UnixSocketTests {
  private func refusal(_ path: String) async -> String? {
    do {
      try await RunningServer.with(path) { _ in }
      return nil
    } catch let error as ApusError {
      return error.kind == .argument ? "\(error)" : nil
    } catch {
      return nil
    }
  }

  /// A label of a name has at most 63 bytes, so that nobody is asked.
  @Test func namesOfNoComputerAreRefused() async throws {
    let name = String(repeating: "a", count: 64) + ".invalid"
    do {
      try await RunningServer.with(RunningServer.freePath()) {
        $0.address = .host(name, port: 0)
      } _: { _ in
      }
      Issue.record("it listens")
    } catch let error as ApusError {
      #expect(error.kind == .argument && "\(error)".contains("cannot listen"))
    }
  }

  @Test func aServerThatListensKeepsItsSocket() async throws {
    try await RunningServer.with { server in
      #expect(await refusal(server.path)?.contains("Address already in use") == true)
      let request = "GET /health/live HTTP/1.0\r\n\r\n"
      #expect(await server.answer(to: request)?.hasSuffix("live\n") == true)
    }
  }

  @Test func whatAServerLeftIsReplaced() async throws {
    let path = RunningServer.freePath()
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #expect(UnixSocket.withAddress(path) { bind(descriptor, $0, $1) } == 0)
    close(descriptor)
    try await RunningServer.with(path) { server in
      let request = "GET /health/live HTTP/1.0\r\n\r\n"
      #expect(await server.answer(to: request)?.hasSuffix("live\n") == true)
    }
  }

  @Test(arguments: [0o600, 0o660, 0o666, nil])
  func theSocketHasItsMode(_ mode: UInt16?) async throws {
    let mask = umask(0o022)
    _ = umask(mask)
    try await RunningServer.with {
      $0.unixMode = mode
    } _: { server in
      var status = stat()
      #expect(stat(server.path, &status) == 0)
      if let mode {
        #expect(status.st_mode & 0o777 == mode_t(mode))
      } else {
        #expect(status.st_mode & 0o077 & mask == 0)
      }
      let request = "GET /health/live HTTP/1.0\r\n\r\n"
      #expect(await server.answer(to: request)?.hasSuffix("live\n") == true)
    }
  }

  @Test func otherFilesStay() async throws {
    let path = RunningServer.freePath()
    try Data("mine".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(await refusal(path)?.contains("a file that is not a socket exists") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
  }

  @Test func longPathsAreRefused() async throws {
    let path = RunningServer.freePath() + String(repeating: "a", count: 100)
    #expect(await refusal(path)?.contains("103 bytes") == true)
  }
}
