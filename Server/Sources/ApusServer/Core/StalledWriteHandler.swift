import NIOCore

/// Closes a connection whose client takes nothing of an answer for a time: what is written to it would be kept for ever.
final class StalledWriteHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let limit: TimeAmount
  /// Writes that the system has not taken.
  private var pending = 0
  private var lastProgress = NIODeadline.uptimeNanoseconds(0)
  private var check: Scheduled<Void>?

  /// - Parameter limit: how long a client may take nothing.
  init(_ limit: TimeAmount) { self.limit = limit }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let promise = promise ?? context.eventLoop.makePromise(of: Void.self)
    if pending == 0 { lastProgress = context.eventLoop.now }
    pending += 1
    let loop = context.eventLoop
    promise.futureResult.assumeIsolated().whenComplete { _ in
      self.pending -= 1
      self.lastProgress = loop.now
    }
    if check == nil { schedule(context) }
    context.write(data, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

  private func schedule(_ context: ChannelHandlerContext) {
    check = context.eventLoop.assumeIsolated().scheduleTask(deadline: lastProgress + limit) {
      self.look(context)
    }
  }

  private func look(_ context: ChannelHandlerContext) {
    check = nil
    guard pending > 0, context.channel.isActive else { return }
    if context.eventLoop.now - lastProgress >= limit {
      context.close(promise: nil)
    } else {
      schedule(context)
    }
  }
}
