import ApusServing
import GRPCCore

extension RPCError {
  /// What an error means to a client of gRPC. One that may come again is told when.
  init(_ error: ServingError) {
    var metadata: Metadata = [:]
    if case .overloaded(let time) = error.kind {
      metadata.addString(
        String(Int((time / .milliseconds(1)).rounded(.up))), forKey: Metadata.retryTime)
    }
    self.init(code: Self.code(of: error.kind), message: error.message, metadata: metadata)
  }

  private static func code(of kind: ServingError.Kind) -> Code {
    switch kind {
    case .invalid, .unsupportedCoding: .invalidArgument
    case .notFound: .notFound
    case .unsupported: .unimplemented
    case .tooLarge: .outOfRange
    case .overloaded: .resourceExhausted
    case .unavailable: .unavailable
    case .deadline: .deadlineExceeded
    case .cancelled: .cancelled
    case .failed: .internalError
    }
  }
}
