import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Keeps the ``Connections`` of a server.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections
  private var connection: Connection?
  /// Whether the answer that is being written is the last of the connection.
  private var isLast = false

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

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head): isLast = head.headerFields[.connection]?.lowercased() == "close"
    case .body: break
    case .end where isLast: connection?.endAnswers()
    case .end: break
    }
    context.write(data, promise: promise)
  }

  private func leave() {
    guard let connection else { return }
    connection.leave()
    connections.remove(connection)
    self.connection = nil
  }
}
