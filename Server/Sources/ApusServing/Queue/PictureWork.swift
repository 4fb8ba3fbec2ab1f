import Apus

/// Work on clients' pictures that is none of a served model's tasks, within the same limits: it costs the pictures' pixels while
/// it waits, and has the time of a request.
public final class PictureWork<Input: Sendable, Output: Sendable>: Sendable {
  private let limits: ServingLimits
  private typealias Item = (input: Input, pixels: Int)
  private let queue: WorkQueue<Item, Output>
  private let clock: Task<Void, Never>

  /// - Parameters:
  ///   - limits: those of the models.
  ///   - perform: the work for one request. Its task is cancelled when nobody waits for it any more.
  public init(_ limits: ServingLimits, perform: @escaping @Sendable (Input) async throws -> Output) {
    let queue = WorkQueue<Item, Output>(
      .init(waiting: limits.waitingPixels, batch: 0, width: WorkerThreads.count)
    ) { items in
      var outputs: [Output] = []
      for item in items {
        outputs.append(try await limits.pictures.run(item.pixels) { try await perform(item.input) })
      }
      return outputs
    }
    (self.limits, self.queue) = (limits, queue)
    clock = Task {
      while (try? await Task.sleep(for: .milliseconds(100))) != nil { queue.expire(at: .now) }
    }
  }

  deinit { clock.cancel() }

  /// The pixels of pictures whose requests wait; a request costs at least one.
  public var waitingPixels: Int { queue.waitingCost }

  /// What comes of a request.
  /// - Parameter pictures: those that the client sent with it.
  /// - Throws: ``ServingError``: `tooLarge`, also for a picture over the limits, `invalid` for one that cannot be read,
  ///   `overloaded`, `deadline`, `cancelled`; what the work throws.
  public func outcome(of input: Input, on pictures: [Picture]) async throws(ServingError) -> Output {
    var cost = 0
    for picture in pictures {
      let pixels = try limits.cost(of: picture)
      cost += pixels
    }
    let outcomes = try await queue.outcomes(
      of: [(input: (input: input, pixels: cost), cost: cost)], until: ContinuousClock.now + limits.requestTime
    )
    return try outcomes.only()
  }
}
