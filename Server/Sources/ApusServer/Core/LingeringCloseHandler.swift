import NIOCore

/// Lets clients read the last answer of a connection (RFC 9112, 9.6): once no more answers come, what the client still
/// sends is read and dropped until it closes its side, or for a time. Unread, it would keep a client from reading that sends
/// all of its request first, and have the answer taken back from it where the socket is closed.
final class LingeringCloseHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// How long a client may send nothing before the connection is closed.
  static let quietTime = TimeAmount.seconds(5)
  /// How long it may send at all.
  static let wholeTime = TimeAmount.seconds(30)

  /// When the connection is closed, whatever comes; nil while answers may come.
  private var end: NIODeadline?
  private var lastRead = NIODeadline.uptimeNanoseconds(0)
  private var closing: Scheduled<Void>?

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    guard let event = event as? ChannelEvent, event == .outputClosed, end == nil, context.channel.isActive
    else { return }
    let now = context.eventLoop.now
    (end, lastRead) = (now + Self.wholeTime, now)
    schedule(context)
    // Nobody behind this asks for what comes after the last request.
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard end != nil else {
      context.fireChannelRead(data)
      return
    }
    lastRead = context.eventLoop.now
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if end != nil { context.read() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    closing?.cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }

  private func schedule(_ context: ChannelHandlerContext) {
    guard let end else { return }
    let next = min(end, lastRead + Self.quietTime)
    closing = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
      self.closeInTime(context)
    }
  }

  private func closeInTime(_ context: ChannelHandlerContext) {
    guard let end else { return }
    if context.eventLoop.now >= min(end, lastRead + Self.quietTime) {
      context.close(promise: nil)
    } else {
      schedule(context)
    }
  }
}
