import ApusServing
import HTTPTypes
import Hummingbird

/// What bodies come in on their way, beside what they are packed in (RFC 9112, 6.1).
enum TransferCoding {
  /// Why a request is not read: its body comes in something else than chunks alone.
  static func refusal(of request: Request) -> ServingError? {
    guard let codings = request.headers[.transferEncoding] else { return nil }
    let names = codings.split(separator: ",").map { $0.trimmingSpace.lowercased() }
    guard names != ["chunked"] else { return nil }
    return ServingError(
      .invalid, "The body comes in the transfer coding '\(codings.clipped)', expected chunked alone.")
  }
}
