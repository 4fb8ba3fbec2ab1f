import NIOCore
import NIOHTTP1

/// What HTTP/1 wants of a connection beside answers (RFC 9110, RFC 9112): that it ends after an answer where the client
/// waits for that, that a client that asks for leave to send its body gets it, that whoever asks for a head gets no body, and
/// that what is no HTTP has an answer like every other.
final class HTTP1Handler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// A request without an answer yet.
  private struct Exchange {
    let isKeptAlive: Bool
    /// Whether its answer has no body, whatever its length says (RFC 9110, 9.3.2).
    let isForHead: Bool
    /// Whether its version ends connections of which nothing is said.
    let isOld: Bool
    /// Whether the client sends no body before it has leave, or waited in vain.
    var awaitsLeave: Bool

    init(_ head: HTTPRequestHead) {
      isKeptAlive = head.isKeepAlive
      isForHead = head.method == .HEAD
      isOld = head.version == .http1_0
      awaitsLeave =
        !isOld && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
  }

  /// In the order in which they came, and are answered.
  private var exchanges = CircularBuffer<Exchange>()
  private var failure: HTTPParserError?
  /// Whether the answer that is being written ends a connection that the other side may still write to.
  private var endsOutput = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(var head):
      let exchange = Exchange(head)
      exchanges.append(exchange)
      // Hummingbird ends a connection for this spelling alone.
      if !exchange.isKeptAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
      // The old version has no such header; without one, a request of the new version is malformed.
      if exchange.isOld, !head.headers.contains(name: "host") { head.headers.add(name: "host", value: "") }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body, .end:
      if !exchanges.isEmpty { exchanges[exchanges.index(before: exchanges.endIndex)].awaitsLeave = false }
      context.fireChannelRead(data)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    failure = error as? HTTPParserError ?? failure
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status == .continue:
      guard exchanges.first?.awaitsLeave == true else {
        promise?.succeed()
        return
      }
      exchanges[exchanges.startIndex].awaitsLeave = false
      context.write(data, promise: promise)
    case .head(let head): writeHead(head, context, promise)
    case .body where exchanges.first?.isForHead == true: promise?.succeed()
    case .body: context.write(data, promise: promise)
    case .end: writeEnd(data, context, promise)
    }
  }

  private func writeHead(
    _ head: HTTPResponseHead, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
  ) {
    var head = head
    if let exchange = exchanges.first {
      // Where the body is not wanted, nobody knows whether what comes next is the body or another request.
      endsOutput = exchange.awaitsLeave
      if endsOutput || !exchange.isKeptAlive {
        head.headers.replaceOrAdd(name: "connection", value: "close")
      } else if exchange.isOld, failure == nil, !Self.endsConnection(head) {
        head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
      }
    }
    // Every other answer has a name.
    guard let failure, !head.headers.contains(name: "x-request-id") else {
      context.write(wrapOutboundOut(.head(head)), promise: promise)
      return
    }
    let body = context.channel.allocator.buffer(bytes: Self.answer(to: failure, &head))
    context.write(wrapOutboundOut(.head(head)), promise: promise)
    guard exchanges.first?.isForHead != true else { return }
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
  }

  private static func endsConnection(_ head: HTTPResponseHead) -> Bool {
    head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
  }

  private func writeEnd(
    _ end: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
  ) {
    _ = exchanges.popFirst()
    guard endsOutput else {
      context.write(end, promise: promise)
      return
    }
    endsOutput = false
    context.writeAndFlush(end, promise: promise)
    context.close(mode: .output, promise: nil)
  }

  /// The body, with what it needs in the head.
  private static func answer(to failure: HTTPParserError, _ head: inout HTTPResponseHead) -> [UInt8] {
    let isLong = failure == .headerOverflow
    if isLong { head.status = .requestHeaderFieldsTooLarge }
    let id = RequestName.random()
    let message = isLong ? "The headers are too long." : "This is not HTTP/1: \(failure)."
    let body = (["error": .string(message), "request_id": .string(id)] as JSONText).bytes
    head.headers.replaceOrAdd(name: "x-request-id", value: id)
    head.headers.replaceOrAdd(name: "content-type", value: "application/json")
    head.headers.replaceOrAdd(name: "content-length", value: String(body.count))
    return body
  }
}
