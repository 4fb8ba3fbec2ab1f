/// What a ``WorkQueue`` keeps under its lock.
struct WorkQueueState<Input: Sendable, Output: Sendable> {
  typealias Request = WorkRequest<Input, Output>

  /// What is in work together.
  struct Batch {
    var task: Task<Void, Never>?
    let places: [(request: UInt64, index: Int)]
    let cost: Int
  }

  private var requests: [UInt64: Request] = [:]
  /// The requests with items that wait, in the order of their turns.
  private var turns: [UInt64] = []
  /// Requests that were ended before they were added.
  private var endedEarly: Set<UInt64> = []
  private var lastID: UInt64 = 0
  /// The cost of all items that wait.
  private(set) var waiting = 0
  /// The batches in work.
  var batches: [UInt64: Batch] = [:]
  private var rate = WorkRate()

  mutating func nextID() -> UInt64 {
    lastID &+= 1
    return lastID
  }

  /// Why a request is not taken on; nil when there is room for it. One that comes when nothing waits is always taken,
  /// unless it is over the limit by itself.
  func refusal(of request: Request, _ limit: Int, width: Int) -> ServingError? {
    guard request.waiting <= limit else {
      return ServingError(
        .tooLarge, "The request is too large: it costs \(request.waiting), and \(limit) may wait at a time.")
    }
    let (total, isOver) = waiting.addingReportingOverflow(request.waiting)
    guard isOver || total > limit else { return nil }
    return overload(by: isOver ? waiting : total - limit, width: width)
  }

  /// Why a request is not even read: the last sixteenth of what may wait is left to those that are being read. Nil when
  /// there is more room than that.
  func refusalUnread(_ limit: Int, width: Int) -> ServingError? {
    let open = limit - limit / 16
    return waiting > open ? overload(by: waiting - open, width: width) : nil
  }

  private func overload(by excess: Int, width: Int) -> ServingError {
    ServingError(
      .overloaded(retryAfter: rate.time(for: excess, width: width)),
      "The server has more waiting than it takes on.")
  }

  mutating func add(_ request: Request, _ id: UInt64) {
    guard endedEarly.remove(id) == nil else {
      request.continuation.resume(returning: .failure(ServingError(.cancelled, "The client is gone.")))
      return
    }
    waiting += request.waiting
    requests[id] = request
    turns.append(id)
  }

  /// A request's ID is not used any more.
  mutating func forget(_ id: UInt64) { endedEarly.remove(id) }

  /// Takes items for a batch: one of each request in its turn. Where several batches may be taken, each gets its share of
  /// what waits.
  /// - Returns: nil when nothing waits, or `width` batches are in work; else also how long the items waited, all together.
  mutating func take(_ limit: Int, width: Int) -> (number: UInt64, inputs: [Input], wait: Duration)? {
    let free = width - batches.count
    guard free > 0, !turns.isEmpty else { return nil }
    let share = min(limit, (waiting + free - 1) / free)
    let now = ContinuousClock.now
    var inputs: [Input] = [], places: [(UInt64, Int)] = [], cost = 0, wait = Duration.zero
    while let id = turns.first, let next = requests[id]?.nextCost {
      guard inputs.isEmpty || cost + next <= share else { break }
      turns.removeFirst()
      guard let (input, index) = requests[id]?.take() else { continue }
      if let arrival = requests[id]?.arrival { wait += now - arrival }
      inputs.append(input)
      places.append((id, index))
      cost += next
      waiting -= next
      if requests[id]?.nextCost != nil { turns.append(id) }
    }
    let number = nextID()
    for (id, _) in places { requests[id]?.batches.insert(number) }
    batches[number] = Batch(task: nil, places: places, cost: cost)
    return (number, inputs, wait)
  }

  /// Takes down what came of a batch.
  /// - Returns: the requests that are done by it.
  mutating func finish(
    _ number: UInt64, _ outcomes: [Request.Outcome], in time: Duration
  ) -> [(Request.Continuation, [Request.Outcome])] {
    guard let batch = batches.removeValue(forKey: number) else { return [] }
    rate.add(batch.cost, in: time)
    var finished: [(Request.Continuation, [Request.Outcome])] = []
    for ((id, index), outcome) in zip(batch.places, outcomes) {
      guard let all = requests[id]?.finish(index, outcome) else { continue }
      if let request = requests.removeValue(forKey: id) { finished.append((request.continuation, all)) }
    }
    for id in Set(batch.places.map(\.request)) { requests[id]?.batches.remove(number) }
    return finished
  }

  /// What is left of a request that was let go of: who waits for it, and the batches that nobody waits for any more.
  struct Ended {
    let continuation: Request.Continuation
    let idle: [Task<Void, Never>]
  }

  /// Lets go of a request of which the client is gone, also one that is about to be added.
  mutating func cancel(_ id: UInt64) -> Ended? {
    if requests[id] == nil { endedEarly.insert(id) }
    return end(id)
  }

  /// Lets go of the requests whose time is over.
  mutating func endOverdue(at now: ContinuousClock.Instant) -> [Ended] {
    requests.filter { $0.value.deadline <= now }.keys.compactMap { end($0) }
  }

  private mutating func end(_ id: UInt64) -> Ended? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    waiting -= request.waiting
    turns.removeAll { $0 == id }
    let idle = request.batches.filter { number in
      batches[number]?.places.allSatisfy { requests[$0.request] == nil } ?? false
    }
    return Ended(continuation: request.continuation, idle: idle.compactMap { batches[$0]?.task })
  }
}

/// How fast work is done, as far as it was seen: an average that forgets.
struct WorkRate {
  /// Cost in a second of one batch at a time; nil before the first.
  private var perSecond: Double?

  mutating func add(_ cost: Int, in time: Duration) {
    let seconds = max(time / .seconds(1), 1e-6)
    let seen = Double(cost) / seconds
    // The last dozen batches make most of it.
    perSecond = perSecond.map { $0 + 0.2 * (seen - $0) } ?? seen
  }

  /// The time in which so much is done, a second where nothing was seen yet; at least a tenth of one, at most a minute.
  func time(for cost: Int, width: Int) -> Duration {
    guard let perSecond, perSecond > 0 else { return .seconds(1) }
    return .seconds(min(max(Double(cost) / (perSecond * Double(max(width, 1))), 0.1), 60))
  }
}
