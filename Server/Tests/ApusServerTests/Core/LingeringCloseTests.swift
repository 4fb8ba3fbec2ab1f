import NIOCore
import NIOEmbedded
import Testing

@testable import ApusServer

/// What becomes of a connection once no more answers come on it.
@Suite struct LingeringCloseTests {
  /// Counts what is asked for.
  private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  private func channel(_ reads: ReadCounter = ReadCounter()) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(reads)
    try channel.pipeline.syncOperations.addHandler(LingeringCloseHandler())
    channel.connect(to: try SocketAddress(unixDomainSocketPath: "/a"), promise: nil)
    return channel
  }

  private func send(_ channel: EmbeddedChannel) throws {
    try channel.writeInbound(ByteBuffer(string: "a"))
  }

  private func received(by channel: EmbeddedChannel) throws -> String? {
    try channel.readInbound(as: ByteBuffer.self).map { String(buffer: $0) }
  }

  @Test func whatComesAfterTheLastAnswerIsReadAndDropped() throws {
    let reads = ReadCounter()
    let channel = try channel(reads)
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    try send(channel)
    let request = try received(by: channel)
    #expect(request == "a")
    let before = reads.count
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
    let first = reads.count
    #expect(first == before + 1)
    try send(channel)
    let rest = try received(by: channel)
    #expect(rest == nil && reads.count > first)
  }

  @Test func aConnectionIsClosedOnceNothingComes() throws {
    let channel = try channel()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    let loop = channel.embeddedEventLoop
    loop.advanceTime(by: .seconds(1000))
    #expect(channel.isActive)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
    loop.advanceTime(by: .seconds(4))
    try send(channel)
    loop.advanceTime(by: .seconds(4))
    #expect(channel.isActive)
    loop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test func nobodySendsForEver() throws {
    let channel = try channel()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
    for _ in 0..<7 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(4))
      try send(channel)
    }
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
  }
}
