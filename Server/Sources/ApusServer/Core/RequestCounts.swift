import Synchronization

/// How many requests were answered, by the class of their status.
struct RequestCounts: ~Copyable, Sendable {
  private let answered = Atomic<Int>(0)
  private let refused = Atomic<Int>(0)
  private let overloaded = Atomic<Int>(0)
  private let failed = Atomic<Int>(0)
  private let inProgress = Atomic<Int>(0)

  /// A request came in.
  func begin() { inProgress.wrappingAdd(1, ordering: .relaxed) }

  /// It was not answered: its client is gone.
  func leave() { inProgress.wrappingSubtract(1, ordering: .relaxed) }

  /// It was answered.
  func end(status: Int) {
    inProgress.wrappingSubtract(1, ordering: .relaxed)
    switch status {
    case ..<400: answered.wrappingAdd(1, ordering: .relaxed)
    case 429: overloaded.wrappingAdd(1, ordering: .relaxed)
    case 400..<500: refused.wrappingAdd(1, ordering: .relaxed)
    default: failed.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// The counts as Prometheus reads them.
  var prometheus: String {
    """
    # HELP apus_requests_total Requests that were answered, by what came of them.
    # TYPE apus_requests_total counter
    apus_requests_total{result="answered"} \(answered.load(ordering: .relaxed))
    apus_requests_total{result="refused"} \(refused.load(ordering: .relaxed))
    apus_requests_total{result="overloaded"} \(overloaded.load(ordering: .relaxed))
    apus_requests_total{result="failed"} \(failed.load(ordering: .relaxed))
    # HELP apus_requests_in_progress Requests that are being worked on.
    # TYPE apus_requests_in_progress gauge
    apus_requests_in_progress \(inProgress.load(ordering: .relaxed))

    """
  }
}
