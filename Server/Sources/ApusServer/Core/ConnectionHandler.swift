import NIOCore
import NIOHTTPTypes

/// Keeps the ``Connections`` of a server.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let connections: Connections
  private var connection: Connection?

  init(_ connections: Connections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) {
    let connection = Connection(context.channel)
    self.connection = connection
    connections.add(connection)
  }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { connection?.leave() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: connection?.beginReading()
    case .body: break
    case .end: connection?.endReading()
    }
    context.fireChannelRead(data)
  }

  private func leave() {
    guard let connection else { return }
    connection.leave()
    connections.remove(connection)
    self.connection = nil
  }
}
