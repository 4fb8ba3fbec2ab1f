/// The items of one request in a ``WorkQueue``, and what came of them so far.
struct WorkRequest<Input: Sendable, Output: Sendable> {
  typealias Outcome = Result<Output, ServingError>
  typealias Continuation = CheckedContinuation<Result<[Outcome], ServingError>, Never>

  private let items: [(input: Input, cost: Int)]
  private var outcomes: [Outcome?]
  private var unfinished: Int
  /// The item that is taken next.
  private var next = 0
  /// The cost of the items that wait.
  private(set) var waiting: Int
  let arrival = ContinuousClock.now
  let deadline: ContinuousClock.Instant
  let continuation: Continuation
  /// The batches that have items of it.
  var batches: Set<UInt64> = []

  init(
    _ items: [(input: Input, cost: Int)], until deadline: ContinuousClock.Instant,
    _ continuation: Continuation
  ) {
    // No sum of costs can then overflow: there are fewer items than bytes in a body.
    self.items = items.map { ($0.input, min(max($0.cost, 1), 1 << 40)) }
    outcomes = Array(repeating: nil, count: items.count)
    unfinished = items.count
    waiting = self.items.reduce(0) { $0 + $1.cost }
    (self.deadline, self.continuation) = (deadline, continuation)
  }

  /// The cost of the item that is taken next; nil when none waits.
  var nextCost: Int? { next < items.count ? items[next].cost : nil }

  /// Takes the next item.
  mutating func take() -> (input: Input, index: Int)? {
    guard next < items.count else { return nil }
    defer { next += 1 }
    waiting -= items[next].cost
    return (items[next].input, next)
  }

  /// Takes down what came of an item.
  /// - Returns: what came of all, when none is left.
  mutating func finish(_ index: Int, _ outcome: Outcome) -> [Outcome]? {
    outcomes[index] = outcome
    unfinished -= 1
    return unfinished == 0 ? outcomes.compactMap(\.self) : nil
  }
}
