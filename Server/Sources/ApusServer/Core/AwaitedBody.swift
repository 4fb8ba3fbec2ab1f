import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// The body of a client that waits for leave to send it. It gets leave when somebody wants the first bytes: what is refused
/// by its head has its answer instead.
struct AwaitedBody: AsyncSequence, Sendable {
  let base: RequestBody
  let channel: any Channel

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: RequestBody.AsyncIterator
    /// Nil once leave was given.
    fileprivate var channel: (any Channel)?

    mutating func next() async throws -> ByteBuffer? {
      channel?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
      channel = nil
      return try await base.next()
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), channel: channel)
  }
}

extension Request {
  /// The request with a body that gives its client leave to send it, where it waits for that.
  func givingLeave(on channel: any Channel) -> Request {
    guard headers[.expect]?.lowercased() == "100-continue" else { return self }
    var request = self
    request.body = RequestBody(asyncSequence: AwaitedBody(base: body, channel: channel))
    return request
  }
}
