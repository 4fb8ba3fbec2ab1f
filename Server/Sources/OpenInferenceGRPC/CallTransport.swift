import GRPCCore
import GRPCNIOTransportHTTP2Posix

/// The transport, each stream of which is a ``Call``: it has a deadline and a status that says why it ended, its messages
/// have a limit, and the observer is told of it.
struct CallTransport: ServerTransport {
  typealias Bytes = GRPCNIOTransportBytes

  let base: HTTP2ServerTransport.Posix
  let calls: Calls
  /// The bytes of a message, unpacked.
  let messageBytes: Int
  /// How long the message of a call may take to come.
  let messageTime: Duration
  let observer: any RPCObserver

  func configure(context: GRPCServerContext) { base.configure(context: context) }

  func beginGracefulShutdown() { base.beginGracefulShutdown() }

  func listen(
    streamHandler:
      @escaping @Sendable (_ stream: RPCStream<Inbound, Outbound>, _ context: ServerContext) async -> Void
  ) async throws {
    try await base.listen { stream, context in
      let call = Call(), begin = ContinuousClock.now
      observer.callBegins()
      calls.add(call)
      let observed = self.observed(stream, call)
      await withTaskCancellationHandler {
        await withRPCCancellationHandler {
          _ = try? await call.doing {
            await Call.$current.withValue(call) { await streamHandler(observed, context) }
          }
        } onCancelRPC: {
          if !calls.isDraining { call.end(.clientGone) }
        }
      } onCancel: {
        call.abandon()
      }
      calls.remove(call)
      call.close()
      observer.callEnds(
        context.descriptor.fullyQualifiedMethod, call.outcome, after: ContinuousClock.now - begin)
    }
  }

  private func observed(
    _ stream: RPCStream<Inbound, Outbound>, _ call: Call
  ) -> RPCStream<Inbound, Outbound> {
    let limit = messageBytes
    let streaming = Inference_GRPCInferenceService.Method.ModelStreamInfer.descriptor.method
    // Who opens a stream may have nothing to ask yet.
    let messageTime = stream.descriptor.method == streaming ? nil : self.messageTime
    let inbound = stream.inbound.map { (part: RPCRequestPart<Bytes>) throws -> RPCRequestPart<Bytes> in
      switch part {
      case .metadata(var metadata):
        if let patience = metadata.patience { call.end(after: patience) }
        if let messageTime { call.awaitMessage(for: messageTime) }
        // gRPC would have a timer of its own, and ends the process for a time below zero.
        metadata.removeAllValues(forKey: Metadata.timeout)
        return .metadata(metadata)
      case .message(let message):
        call.messageCame()
        guard message.count <= limit else {
          throw RPCError(code: .resourceExhausted, message: "The message is longer than \(limit) bytes.")
        }
        return part
      }
    }
    let writer = Writer(base: stream.outbound, call: call)
    return RPCStream(
      descriptor: stream.descriptor, inbound: Inbound(wrapping: inbound),
      outbound: Outbound(wrapping: writer))
  }

  /// Writes what a call answers, and at last its status.
  private struct Writer: ClosableRPCWriterProtocol {
    typealias Element = RPCResponsePart<Bytes>

    let base: Outbound
    let call: Call

    func write(_ element: Element) async throws {
      guard case .status(let status, let metadata) = element else {
        try await base.write(element)
        return
      }
      try await call.finish(status, metadata) { [base] status in
        try await base.write(.status(status, metadata))
      }
    }

    func write(contentsOf elements: some Sequence<Element>) async throws {
      for element in elements { try await write(element) }
    }

    func finish() async { await base.finish() }

    func finish(throwing error: any Error) async { await base.finish(throwing: error) }
  }
}
