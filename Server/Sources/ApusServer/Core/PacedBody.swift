import HTTPTypes
import Hummingbird
import NIOCore

extension ResponseBody {
  /// A body that was made whole before it is written, below which no parts are worth their trouble.
  private static let wholeBytes = 64 << 10

  /// The same, a long one in parts, each written when the one before it is on its way: an answer is in work as long as its
  /// client reads it, and a connection in work is not idle. Written whole, it would be ended at once, and cut off when
  /// connections may be idle no longer.
  /// - Parameters:
  ///   - loop: of the connection.
  ///   - whenLeft: called where the client leaves before it has all.
  /// - Parameter whenCut: called with the reason where the client does not get all: mostly that it has left.
  func paced(
    on loop: any EventLoop, whenCut: @escaping @Sendable (any Error) -> Void
  ) -> ResponseBody {
    guard contentLength ?? .max > Self.wholeBytes else { return self }
    return ResponseBody(contentLength: contentLength) { [self] writer in
      do {
        try await write(PartWriter(base: writer, loop: loop))
      } catch {
        whenCut(error)
        throw error
      }
    }
  }
}

/// Writes bodies in parts.
private struct PartWriter: ResponseBodyWriter {
  var base: any ResponseBodyWriter
  let loop: any EventLoop

  /// Few enough bytes for a slow client, of whom each part is a sign of life.
  private static let partBytes = 32 << 10

  mutating func write(_ buffer: ByteBuffer) async throws {
    var rest = buffer
    while let part = rest.readSlice(length: min(rest.readableBytes, Self.partBytes)), part.readableBytes > 0 {
      try await base.write(part)
      // The connection knows by then whether it takes more, for which the next part waits.
      try await loop.submit {}.get()
    }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await base.finish(trailingHeaders)
  }
}
