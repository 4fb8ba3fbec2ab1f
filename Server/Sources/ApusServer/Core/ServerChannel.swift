import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The channel of a connection: Hummingbird's, with an ``HTTP1Handler`` where its parts still tell their version, a
/// ``LingeringCloseHandler`` and a ``StalledWriteHandler`` where they are bytes, but no longer encrypted, and a
/// ``RequestDecoder`` in the place of its own.
struct ServerChannel: ServerChildChannel {
  let base: HTTP1Channel
  /// How long a client may take nothing of an answer.
  let idleTime: TimeAmount

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
      try pipeline.addHandler(HTTP1Handler(), position: .before(codec))
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let requests = RequestDecoder()
      let handlers: [any ChannelHandler] = [
        LingeringCloseHandler(), ByteToMessageHandler(requests), UpgradeHandler(requests.stop),
      ]
      try pipeline.addHandlers(handlers, position: .before(decoder))
      pipeline.removeHandler(decoder, promise: nil)
      let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
      try pipeline.addHandler(StalledWriteHandler(idleTime), position: .before(encoder))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
