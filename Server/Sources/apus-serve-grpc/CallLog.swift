import ApusServer
import ApusServing
import Logging
import OpenInferenceGRPC

/// A line of the log for each call, and its place among the requests that are counted.
struct CallLog: RPCObserver {
  let state: ServerState
  private let logger = Logger(label: "apus")

  init(state: ServerState) { self.state = state }

  func callBegins() { state.requestBegins() }

  func callEnds(_ method: String, _ outcome: RPCOutcome, after time: Duration) {
    let status: Int? =
      switch outcome.kind {
      case .answered: 200
      case .refused: 400
      case .overloaded: 429
      case .failed: 500
      case .left: nil
      }
    state.requestEnds(status: status)
    logger.info(
      "gRPC /\(method)",
      metadata: [
        "grpc-status": .stringConvertible(outcome.code),
        "ms": .stringConvertible((time / .milliseconds(1) * 1000).rounded() / 1000),
      ])
  }

  func callFails(_ method: String, _ error: ServingError) {
    logger.error("a call failed", metadata: ["method": .string(method), "error": "\(error)"])
  }
}
