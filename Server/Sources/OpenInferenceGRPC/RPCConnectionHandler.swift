import NIOCore

/// Keeps a connection among ``RPCConnections`` while it is open, and closes it where it is one too many, or was silent for
/// too long.
///
/// gRPC asks a silent connection to end, and waits for good for the client's word. So this closes one that has not ended
/// some seconds later.
final class RPCConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = Any

  private let connections: RPCConnections
  private let patience: TimeAmount
  private var channel: (any Channel)?
  private var streams = 0
  private var end: Scheduled<Void>?

  /// - Parameter patience: how long it stays open without a stream.
  init(_ connections: RPCConnections, patience: Duration) {
    (self.connections, self.patience) = (connections, TimeAmount(patience))
  }

  func channelActive(context: ChannelHandlerContext) {
    channel = context.channel
    let mayStay = connections.add(context.channel)
    // gRPC waits for good for what ends before it was told that it begins.
    context.fireChannelActive()
    if mayStay { wait() } else { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end?.cancel()
    channel = nil
    connections.remove(context.channel)
    context.fireChannelInactive()
  }

  /// A stream of this connection begins, on its event loop.
  func streamBegins(_ stream: any Channel) {
    streams += 1
    end?.cancel()
    stream.closeFuture.assumeIsolated().whenComplete { _ in
      self.streams -= 1
      if self.streams == 0 { self.wait() }
    }
  }

  private func wait() {
    guard let channel else { return }
    end = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
  }
}
