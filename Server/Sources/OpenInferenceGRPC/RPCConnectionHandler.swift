import NIOCore

/// Keeps a connection among ``RPCConnections`` while it is open, and closes it where it is one too many.
final class RPCConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = Any

  private let connections: RPCConnections

  init(_ connections: RPCConnections) { self.connections = connections }

  func channelActive(context: ChannelHandlerContext) {
    let mayStay = connections.add(context.channel)
    // gRPC waits for good for what ends before it was told that it begins.
    context.fireChannelActive()
    if !mayStay { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    connections.remove(context.channel)
    context.fireChannelInactive()
  }
}
