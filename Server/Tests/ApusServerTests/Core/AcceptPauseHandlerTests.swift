import CLibrary
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ApusServer

/// Where the system has no file for a connection, a server waits rather than turn.
@Suite struct AcceptPauseHandlerTests {
  /// Counts what reaches the socket.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Never
    private(set) var count = 0

    func read(context: ChannelHandlerContext) { count += 1 }
  }

  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
  func noConnectionIsTakenForASecond(_ code: CInt) throws {
    let loop = EmbeddedEventLoop(), reads = Reads(), told = Mutex<[String]>([])
    let channel = EmbeddedChannel(
      handlers: [reads, AcceptPauseHandler { reason in told.withLock { $0.append(reason) } }], loop: loop)
    channel.pipeline.read()
    #expect(reads.count == 1)
    for _ in 0..<5 { channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept")) }
    for _ in 0..<5 { channel.pipeline.read() }
    #expect(reads.count == 1)
    loop.advanceTime(by: .milliseconds(999))
    channel.pipeline.read()
    #expect(reads.count == 1)
    loop.advanceTime(by: .milliseconds(1))
    channel.pipeline.read()
    #expect(reads.count > 1)
    channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
    // Once, however often it happens.
    #expect(told.withLock(\.self) == [String(cString: strerror(code))])
  }

  @Test func otherErrorsPauseNothing() throws {
    let reads = Reads()
    let channel = EmbeddedChannel(handlers: [reads, AcceptPauseHandler { _ in Issue.record("told") }])
    channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
    channel.pipeline.read()
    #expect(reads.count == 1)
  }
}
