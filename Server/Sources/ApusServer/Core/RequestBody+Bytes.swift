import ApusServing
import Hummingbird
import NIOCore

/// The body of a request, with its bytes counted until nobody keeps it.
final class CountedBody: Sendable {
  /// What was sent, without compression.
  let bytes: [UInt8]
  private let budget: BodyBudget
  private let count: Int

  fileprivate init(_ bytes: [UInt8], _ count: Int, _ budget: BodyBudget) {
    (self.bytes, self.count, self.budget) = (bytes, count, budget)
  }

  deinit { budget.giveBack(count) }
}

extension ServerState {
  /// Reads the body of a request, which may be compressed by gzip or deflate. What the head tells is refused before a byte
  /// of it is read.
  /// - Throws: ``ServingError``: `tooLarge` when it is longer than bodies may be, also once it is unpacked, `overloaded`
  ///   when others take all that bodies may, `invalid` when it is packed and damaged, `unsupportedCoding` when it is packed in
  ///   something else.
  func body(of request: Request) async throws -> CountedBody {
    let limit = options.bodyBytes
    let coding = try Inflation.Coding(request.headers[.contentEncoding])
    if let length = request.headers[.contentLength].flatMap(Int.init), length > limit { throw tooLarge }
    var bytes: [UInt8] = [], taken = 0
    do {
      for try await part in request.body {
        guard bytes.count + part.readableBytes <= limit else { throw tooLarge }
        try bodies.take(part.readableBytes)
        taken += part.readableBytes
        bytes += part.readableBytesView
      }
      if let coding {
        bytes = try await coding.inflated(bytes, limit: limit)
        // What it is packed in counts until here; from here on what it is.
        bodies.giveBack(taken)
        taken = 0
        try bodies.take(bytes.count)
        taken = bytes.count
      }
      return CountedBody(bytes, taken, bodies)
    } catch {
      bodies.giveBack(taken)
      throw error
    }
  }

  private var tooLarge: ServingError {
    ServingError(.tooLarge, "The body is longer than \(options.bodyBytes) bytes.")
  }
}
