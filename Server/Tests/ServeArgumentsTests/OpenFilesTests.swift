import Apus
import CLibrary
import Dispatch
import FoundationEssentials
import ServingTestSupport
import Testing

@testable import ApusServer
@testable import ServeArguments

@Suite struct OpenFilesTests {
  private static func files(_ limit: Int, listeners: Int = 1, photographs: Bool = false) -> OpenFiles {
    var files = OpenFiles(limit: limit, threads: 2)
    (files.listeners, files.hasPhotographs) = (listeners, photographs)
    return files
  }

  @Test func connectionsFitTheFilesThatMayBeOpen() throws {
    #expect(try Self.files(1 << 20).connections(1024) == 1024)
    #expect(try Self.files(1024).connections(1024) == 1024 - 30)
    #expect(try Self.files(1046, photographs: true).connections(1024) == 500)
    #expect(try Self.files(1031, listeners: 2).connections(1024) == 500)
    #expect(try Self.files(64).connections(1024) == 34)
    #expect(try Self.files(40).connections(1024) == 10)
    #expect(try Self.files(31).connections(1) == 1)
  }

  @Test(arguments: [0, 10, 34]) func tooFewAreRefused(_ limit: Int) {
    #expect {
      try Self.files(limit).connections(1024)
    } throws: { error in
      guard let error = error as? ApusError else { return false }
      return error.kind == .resources && "\(error)".contains("\(limit) files")
        && "\(error)".contains("ulimit")
    }
  }

  /// Machines of many cores have as many threads of connections where there are files enough.
  @Test(arguments: [(1 << 20, 64), (1024, 64), (256, 16), (40, 2), (16, 1), (0, 1)])
  func threadsFitThem(_ limit: Int, _ threads: Int) {
    #expect(OpenFiles(limit: limit, threads: 64).threads == threads)
    #expect(OpenFiles(limit: limit, threads: 1).threads == 1)
  }

  /// A server that may have 40 files says that it has fewer connections, and answers; it has no more open than it counts
  /// with. In a process of its own, of which the limit is.
  @Test(.timeLimit(.minutes(20))) func aServerOfFewFilesServes() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      // What a program does not have that is no test.
      let others = Self.openFiles() - 3
      var limit = rlimit(rlim_cur: rlim_t(40 + others), rlim_max: rlim_t(40 + others))
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let path = FileManager.default.temporaryDirectory.appending(
        path: "few-\(UInt64.random(in: 0 ... .max))"
      ).path
      let arguments = try ServeArguments.parse([
        "--unix", path, "--model", Self.sentiment, "--lazy", "--no-seal", "--log-format", "json",
      ])
      let work = Task { try await arguments.serve() }
      let isAnswered = await eventually { await Self.status(path) == "HTTP/1.1 200" }
      let own = Self.openFiles() - others
      #expect(isAnswered && own <= OpenFiles(limit: 40, threads: HTTPServer.connectionThreads).own, "\(own)")
      kill(getpid(), SIGTERM)
      try await work.value
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(log.contains("fewer connections than --max-connections"), "\(log)")
  }

  private static let sentiment = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Weights/sentiment").path

  private static func openFiles() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count).map { $0 - 1 } ?? 0
  }

  /// How a request that opens the model is answered; nil where nobody listens. On a thread of its own, as it waits.
  private static func status(_ path: String) async -> String? {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "client").async {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        guard UnixSocket.connect(client, path) == 0 else { return continuation.resume(returning: nil) }
        let body = #"{"text":"A joy from start to finish."}"#
        let request =
          "POST /api/classify-text HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        send(client, request, request.utf8.count, Int32(MSG_NOSIGNAL))
        var bytes = [UInt8](repeating: 0, count: 12)
        let count = recv(client, &bytes, bytes.count, Int32(MSG_WAITALL))
        continuation.resume(
          returning: count == bytes.count ? String(decoding: bytes, as: UTF8.self) : nil)
      }
    }
  }

  /// Too few for the system's files about memory to be read, too: that is what is said, before the model is looked for.
  @Test func tooFewFilesAreSaidToBe() async {
    await #expect(processExitsWith: .success) {
      let arguments = try ServeArguments.parse(["--model", "no-such-model"])
      var limit = rlimit(rlim_cur: 6, rlim_max: 6)
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
      let error = await #expect(throws: ApusError.self) { try await arguments.serve() }
      #expect(error?.kind == .resources && "\(error as Any)".contains("6 files open (ulimit -n)"))
    }
  }
}
