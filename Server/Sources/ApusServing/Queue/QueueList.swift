import Apus

/// Makes the queues of a model, and lists them.
struct QueueList {
  /// What waiting costs.
  enum Unit: Sendable { case tokens, pixels, bytes }

  /// One of the queues.
  struct Entry: Sendable {
    let unit: Unit
    let queue: any WaitingWork
  }

  private let limits: ServingLimits
  private let access: FormAccess
  private let account: ExecutionAccount
  private(set) var entries: [Entry] = []

  /// - Parameters:
  ///   - access: where models are opened.
  ///   - account: where it is taken down what is done.
  init(_ limits: ServingLimits, _ access: FormAccess, _ account: ExecutionAccount) {
    (self.limits, self.access, self.account) = (limits, access, account)
  }

  /// A queue of what a model is to do.
  /// - Parameter batch: the cost of what is done together; 0 where each item is done by itself.
  mutating func add<Model, Input, Output>(
    _ unit: Unit, batch: Int = 0, _ job: Job<Model, Input, Output>
  ) -> WorkQueue<Job<Model, Input, Output>.Item, Output> {
    add(
      unit, batch: batch,
      took: { [account] count, time in account.tookItems(count, after: time) }
    ) { [access, account] items in
      try await job.outputs(of: items, from: access, account: account)
    }
  }

  /// A queue of work that needs no model.
  /// - Parameters:
  ///   - batch: the cost of what is done together; 0 where each item is done by itself.
  ///   - took: told of each batch how many items it has, and how long they waited, all together.
  mutating func add<Input, Output>(
    _ unit: Unit, batch: Int = 0, took: @escaping @Sendable (Int, Duration) -> Void = { _, _ in },
    process: @escaping @Sendable ([Input]) async throws -> [Output]
  ) -> WorkQueue<Input, Output> {
    let waiting =
      switch unit {
      case .tokens: limits.waitingTokens
      case .pixels: limits.waitingPixels
      case .bytes: limits.waitingTensorBytes
      }
    let queue = WorkQueue<Input, Output>(
      .init(waiting: waiting, batch: batch, width: WorkerThreads.count), process: process, took: took)
    entries.append(Entry(unit: unit, queue: queue))
    return queue
  }
}

/// What waits in a queue, whatever it is.
protocol WaitingWork: Sendable {
  /// The cost of what waits.
  var waitingCost: Int { get }

  /// Ends the requests whose time is over.
  func expire(at now: ContinuousClock.Instant)
}

extension WorkQueue: WaitingWork {}
