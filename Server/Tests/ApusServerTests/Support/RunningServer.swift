import ApusServing
import CLibrary
import Dispatch
import FoundationEssentials
import Logging
import ServingTestSupport

@testable import ApusServer

/// A server that listens, on a socket of the file system.
struct RunningServer {
  let path: String

  /// Serves without models until the body has ended.
  static func with<Result>(
    _ path: String = Self.freePath(), photos: PhotoLibrary? = nil,
    _ change: (inout ServerOptions) -> Void = { _ in },
    _ body: (RunningServer) async throws -> Result
  ) async throws -> Result {
    var options = ServerOptions()
    options.address = .unixSocket(path)
    // The tests go on in this process.
    options.isSealed = false
    (options.bodyTime, options.idleTime) = (.patience, Duration.patience * 2)
    change(&options)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let server = HTTPServer(
      ServerState(try ModelServer([], limits: .patient), options, photos: photos), logger: logger)
    let (listening, listens) = AsyncStream.makeStream(of: Bool.self)
    let work = Task {
      defer { listens.finish() }
      try await server.run { _ in _ = listens.yield(true) }
    }
    defer { work.cancel() }
    // What ends before it listens has a reason.
    if await listening.first(where: { $0 }) == nil { try await work.value }
    return try await body(RunningServer(path: path))
  }

  static func freePath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "apus-\(UInt64.random(in: 0 ... .max))").path()
  }

  /// Sends parts of a request, each after something came back that ends as it is said, and gives what came back until the
  /// other side has no more; nil when nothing comes for longer than tests wait, less than connections may be idle.
  /// - Parameter before: called before each of the other parts is sent.
  func answer(
    to request: String, then next: [(end: String, part: String)] = [],
    before: @escaping @Sendable () -> Void = {}
  ) async -> String? {
    await withCheckedContinuation { continuation in
      // Waiting calls would hold up the server, whose work runs on Swift's own threads, which Dispatch counts together with
      // those of its concurrent queues.
      DispatchQueue(label: "client").async { continuation.resume(returning: wait(request, next, before)) }
    }
  }

  /// The bytes of an answer to a client that reads slowly.
  /// - Parameters:
  ///   - size: bytes that it takes at once, after a pause each.
  ///   - first: what it does with its socket before it takes anything.
  ///   - whenBegun: called when it has taken the first bytes.
  func byteCount(
    ofAnswerTo request: String, reading size: Int, every pause: Duration = .zero,
    first: @escaping @Sendable (Int32) -> Void = { _ in }, whenBegun: @escaping @Sendable () -> Void = {}
  ) async -> Int {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "client").async {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var total = 0, buffer = [UInt8](repeating: 0, count: size)
        if UnixSocket.connect(descriptor, path) == 0 {
          send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
          first(descriptor)
          while case let count = recv(descriptor, &buffer, size, 0), count > 0 {
            if total == 0 { whenBegun() }
            total += count
            usleep(UInt32(pause / .microseconds(1)))
          }
        }
        continuation.resume(returning: total)
      }
    }
  }

  /// `POLLRDHUP`, which `Glibc` has for programs in C alone.
  static let otherSideIsGone: Int16 = 0x2000

  /// Waits for what is told of a socket, such as that something is there to be read (`POLLIN`).
  static func wait(for events: Int16, of socket: Int32) {
    var state = pollfd(fd: socket, events: events, revents: 0)
    poll(&state, 1, Int32(Duration.patience / .milliseconds(1)))
  }

  private func wait(
    _ request: String, _ next: [(end: String, part: String)], _ before: () -> Void
  ) -> String? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var limit = timeval(tv_sec: Int(Duration.patience / .seconds(1)), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard UnixSocket.connect(descriptor, path) == 0 else { return nil }
    var next = next[...], received: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 4096)
    send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { return nil }
      received += buffer[..<count]
      let text = String(decoding: received, as: UTF8.self)
      guard count > 0 else { return text }
      if let (end, part) = next.first, text.hasSuffix(end) {
        next.removeFirst()
        before()
        send(descriptor, part, part.utf8.count, Int32(MSG_NOSIGNAL))
      }
    }
  }
}
