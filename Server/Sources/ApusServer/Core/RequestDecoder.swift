import NIOCore
import NIOHTTP1

/// NIO's decoder of requests, made to go on where it stops: behind a request that asks for another protocol. Such a request
/// is answered in this one (RFC 9110, 7.8), and so are those that follow it.
final class RequestDecoder: ByteToMessageDecoder {
  typealias InboundOut = HTTPServerRequestPart

  /// The end of a request behind which NIO's decoder takes nothing more, told by an ``UpgradeHandler``.
  final class Stop {
    fileprivate(set) var isReached = false
  }

  let stop = Stop()
  private var decoder = HTTPRequestDecoder()

  func decoderAdded(context: ChannelHandlerContext) { decoder.decoderAdded(context: context) }

  func decoderRemoved(context: ChannelHandlerContext) { decoder.decoderRemoved(context: context) }

  func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
    let state = try decoder.decode(context: context, buffer: &buffer)
    guard renew(context) else { return state }
    return buffer.readableBytes > 0 ? .continue : .needMoreData
  }

  func decodeLast(
    context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
  ) throws -> DecodingState {
    while buffer.readableBytes > 0 {
      _ = try decoder.decode(context: context, buffer: &buffer)
      guard renew(context) else { break }
    }
    return try decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
  }

  /// Begins anew where the decoder has stopped.
  private func renew(_ context: ChannelHandlerContext) -> Bool {
    guard stop.isReached else { return false }
    stop.isReached = false
    decoder.decoderRemoved(context: context)
    decoder = HTTPRequestDecoder()
    decoder.decoderAdded(context: context)
    return true
  }
}

/// Tells a ``RequestDecoder``, right behind which it stands, where requests end that ask for another protocol.
final class UpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private let stop: RequestDecoder.Stop
  private var isUpgrade = false

  init(_ stop: RequestDecoder.Stop) { self.stop = stop }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): isUpgrade = Self.asksForUpgrade(head)
    case .body: break
    case .end:
      stop.isReached = isUpgrade
      isUpgrade = false
    }
    context.fireChannelRead(data)
  }

  /// As the parser within the decoder sees it.
  private static func asksForUpgrade(_ head: HTTPRequestHead) -> Bool {
    guard head.method != .CONNECT else { return true }
    guard head.headers.contains(name: "upgrade") else { return false }
    return ["connection", "proxy-connection"].contains { name in
      head.headers[name].contains { value in
        value.split(separator: ",").contains { $0.trimmingSpace.lowercased() == "upgrade" }
      }
    }
  }
}
