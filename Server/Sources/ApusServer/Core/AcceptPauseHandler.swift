import CLibrary
import NIOCore

/// Pauses the taking of connections where the system has no file or no memory for another. Without it the event loop would
/// be told of the same connection again at once, and so for ever.
final class AcceptPauseHandler: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  /// How long no connections are taken.
  static let time = TimeAmount.seconds(1)

  private let tell: @Sendable (String) -> Void
  private var isTold = false
  private var isPaused = false

  /// - Parameter tell: called the first time, with why.
  init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) {
      pause(context, code)
    }
    context.fireErrorCaught(error)
  }

  func read(context: ChannelHandlerContext) {
    if !isPaused { context.read() }
  }

  private func pause(_ context: ChannelHandlerContext, _ code: CInt) {
    guard !isPaused else { return }
    isPaused = true
    if !isTold { tell(String(cString: strerror(code))) }
    isTold = true
    // Nothing is told of connections that wait until this is on again.
    let channel = context.channel
    channel.setOption(.autoRead, value: false).whenComplete { _ in }
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.time) {
      self.isPaused = false
      channel.setOption(.autoRead, value: true).whenComplete { _ in }
    }
  }
}
