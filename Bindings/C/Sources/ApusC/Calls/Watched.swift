import Apus
import CApus
import Synchronization

/// How a call is watched and stopped, as its caller says it.
final class WatchedCall: @unchecked Sendable {
  private let token: UnsafePointer<Int32>?
  private let progress: apus_progress?
  private let context: UnsafeMutableRawPointer?
  private let isStopped = Atomic<Bool>(false)
  /// Where errors of single inputs go; nil where the first ends the call.
  let errors: UnsafeMutablePointer<UnsafeMutablePointer<apus_error>?>?

  /// - Throws: ``ApusError`` of kind `argument` for one that does not say its size.
  init(_ call: UnsafePointer<apus_call>?) throws(ApusError) {
    let call = if let call { try apus_call.read(call) } else { apus_call() }
    (token, progress, context, errors) = (call.cancel, call.progress, call.context, call.errors)
  }

  /// Whether the call is to stop. Asked between nodes, where a process may fork that waits for it.
  func isCancelled() -> Bool {
    ForkGate.pass()
    if let token, apus_token_value(token) != 0 { return true }
    return isStopped.load(ordering: .relaxed)
  }

  /// Tells the caller how far the call is. The caller may fork, and call back in.
  func tell(_ stage: StaticString, _ fraction: Double) {
    guard let progress else { return }
    ForkGate.leave()
    defer { ForkGate.enter() }
    let isEnded = stage.withUTF8Buffer { text in
      text.withMemoryRebound(to: CChar.self) { progress(context, $0.baseAddress, fraction) }
    }
    if isEnded != 0 { isStopped.store(true, ordering: .relaxed) }
  }

  /// Whether anybody is told.
  var isTold: Bool { progress != nil }

  /// - Throws: ``ApusError`` of kind `cancelled`.
  func checkCancelled() throws(ApusError) {
    if isCancelled() { throw ApusError(.cancelled, "the call was cancelled") }
  }
}

extension LoadStage {
  /// Its name with a NUL behind it.
  var text: StaticString {
    switch self {
    case .open: "open"
    case .tokenizer: "tokenizer"
    case .text: "text"
    case .image: "image"
    case .network: "network"
    case .labels: "labels"
    }
  }
}
