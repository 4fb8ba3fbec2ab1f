import Synchronization
import Testing

@testable import ApusServing

/// The batches that a queue made.
private final class Batches: Sendable {
  private let lists = Mutex<[[Int]]>([])
  var all: [[Int]] { lists.withLock { $0 } }
  func add(_ batch: [Int]) { lists.withLock { $0.append(batch) } }
}

private struct Odd: Error {}

@Suite struct WorkQueueTests {
  private static let later = ContinuousClock.now + .seconds(3600)

  private func items(_ numbers: some Sequence<Int>, cost: Int = 1) -> [(input: Int, cost: Int)] {
    numbers.map { ($0, cost) }
  }

  /// The law of batches: what comes of an item does not depend on what it runs with, and stands at its place.
  @Test(arguments: [1, 3, 100], [1, 2, 8])
  func everyRequestGetsItsOwnResultsInOrder(batch: Int, width: Int) async throws {
    let queue = WorkQueue<Int, Int>(.init(waiting: 1 << 20, batch: batch, width: width)) { inputs in
      await Task.yield()
      return inputs.map { $0 * $0 }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for request in 0..<100 {
        let numbers = request * 50..<(request * 50 + request % 7)
        group.addTask {
          let outcomes = try await queue.outcomes(of: self.items(numbers), until: Self.later)
          #expect(try outcomes.map { try $0.get() } == numbers.map { $0 * $0 })
        }
      }
      try await group.waitForAll()
    }
    #expect(queue.waitingCost == 0)
  }

  @Test func anItemThatFailsLeavesTheOthersAlone() async throws {
    let queue = WorkQueue<Int, Int>(.init(waiting: 100, batch: 100, width: 1)) { inputs in
      if inputs.contains(where: { $0 % 2 == 1 }) { throw Odd() }
      return inputs
    }
    let outcomes = try await queue.outcomes(of: items([2, 3, 4, 5]), until: Self.later)
    #expect(outcomes.map { try? $0.get() } == [2, nil, 4, nil])
  }

  /// While one batch is in work, others gather; the next batch has one item of each request in its turn.
  @Test func aLargeRequestDoesNotKeepASmallOneWaiting() async throws {
    let gate = Gate(), batches = Batches()
    let queue = WorkQueue<Int, Int>(.init(waiting: 1000, batch: 4, width: 1)) { inputs in
      batches.add(inputs)
      await gate.pass()
      return inputs
    }
    async let first = queue.outcomes(of: items([0]), until: Self.later)
    while batches.all.isEmpty { await Task.yield() }
    async let large = queue.outcomes(of: items(100..<120), until: Self.later)
    while queue.waitingCost < 20 { await Task.yield() }
    async let small = queue.outcomes(of: items([1]), until: Self.later)
    while queue.waitingCost < 21 { await Task.yield() }
    gate.open()
    _ = try await (first, large, small)
    #expect(batches.all[0] == [0])
    #expect(batches.all[1] == [100, 1, 101, 102])
    #expect(batches.all.flatMap(\.self).count == 22)
  }

  /// The law of turns: requests of one item are taken in the order in which they came. No cheap one passes a dear one for
  /// which a batch has no room left.
  @Test func nobodyIsPassed() async throws {
    let gate = Gate(), batches = Batches()
    let costs = [3, 8, 1, 5, 9, 1, 1, 7, 2, 12, 4, 1]
    let queue = WorkQueue<Int, Int>(.init(waiting: 1000, batch: 10, width: 1)) { inputs in
      batches.add(inputs)
      await gate.pass()
      return inputs
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = try await queue.outcomes(of: self.items([-1]), until: Self.later) }
      while batches.all.isEmpty { await Task.yield() }
      var waiting = 0
      for (number, cost) in costs.enumerated() {
        group.addTask {
          _ = try await queue.outcomes(of: self.items([number], cost: cost), until: Self.later)
        }
        waiting += cost
        while queue.waitingCost < waiting { await Task.yield() }
      }
      gate.open()
      try await group.waitForAll()
    }
    #expect(batches.all == [[-1], [0], [1, 2], [3], [4, 5], [6, 7, 8], [9], [10, 11]])
  }

  @Test func whatThereIsNoRoomForIsRefusedAtOnce() async throws {
    let gate = Gate(), batches = Batches()
    let queue = WorkQueue<Int, Int>(.init(waiting: 10, batch: 1, width: 1)) { inputs in
      batches.add(inputs)
      await gate.pass()
      return inputs
    }
    async let first = queue.outcomes(of: items([0], cost: 10), until: Self.later)
    while batches.all.isEmpty { await Task.yield() }
    async let second = queue.outcomes(of: items([1], cost: 10), until: Self.later)
    while queue.waitingCost < 10 { await Task.yield() }
    let error = await #expect(throws: ServingError.self) {
      try await queue.outcomes(of: self.items([2]), until: Self.later)
    }
    guard case .overloaded(let time) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(time > .zero)
    // What is over the limit by itself would never be taken.
    let large = await #expect(throws: ServingError.self) {
      try await queue.outcomes(of: self.items([3], cost: 11), until: Self.later)
    }
    #expect(large?.kind == .tooLarge)
    gate.open()
    _ = try await (first, second)
  }

  /// The last sixteenth is for requests that are being read already.
  @Test(arguments: [(149, false), (150, false), (151, true), (160, true)])
  func whatComesToAQueueThatIsAboutFullIsNotRead(waiting: Int, isRefused: Bool) async throws {
    let gate = Gate(), batches = Batches()
    let queue = WorkQueue<Int, Int>(.init(waiting: 160, batch: 1, width: 1)) { inputs in
      batches.add(inputs)
      await gate.pass()
      return inputs
    }
    try queue.requireRoom()
    async let first = queue.outcomes(of: items([0], cost: 160), until: Self.later)
    while batches.all.isEmpty { await Task.yield() }
    try queue.requireRoom()
    async let second = queue.outcomes(of: items([1], cost: waiting), until: Self.later)
    while queue.waitingCost < waiting { await Task.yield() }
    let refusal = Result { () throws(ServingError) in try queue.requireRoom() }
    if case .failure(let error) = refusal, case .overloaded(let time) = error.kind { #expect(time > .zero) }
    #expect((try? refusal.get()) == nil ? isRefused : !isRefused)
    gate.open()
    _ = try await (first, second)
  }

  /// Who goes while its items wait takes them along; who goes while they are in work alone has the work cancelled.
  @Test func theWorkOfThoseWhoAreGoneIsCancelled() async throws {
    let gate = Gate(), batches = Batches(), cancelled = Atomic<Int>(0)
    let queue = WorkQueue<Int, Int>(.init(waiting: 100, batch: 1, width: 1)) { inputs in
      batches.add(inputs)
      await withTaskCancellationHandler {
        await gate.pass()
      } onCancel: {
        cancelled.wrappingAdd(1, ordering: .relaxed)
        gate.open()
      }
      return inputs
    }
    let working = Task { try await queue.outcomes(of: self.items([0]), until: Self.later) }
    while batches.all.isEmpty { await Task.yield() }
    let waiting = Task { try await queue.outcomes(of: self.items([1]), until: Self.later) }
    while queue.waitingCost == 0 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.result.failure?.kind == .cancelled)
    #expect(queue.waitingCost == 0)
    working.cancel()
    #expect(await working.result.failure?.kind == .cancelled)
    #expect(cancelled.load(ordering: .relaxed) == 1)
    #expect(batches.all == [[0]])
    // The queue goes on.
    #expect(try await queue.outcomes(of: items([2]), until: Self.later).map { try $0.get() } == [2])
  }

  @Test func aTaskThatIsCancelledAlreadyGetsNothingDone() async throws {
    let batches = Batches()
    let queue = WorkQueue<Int, Int>(.init(waiting: 100, batch: 1, width: 1)) { inputs in
      batches.add(inputs)
      return inputs
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await queue.outcomes(of: self.items([1]), until: Self.later)
    }
    #expect(await task.result.failure?.kind == .cancelled)
    #expect(batches.all.isEmpty)
  }

  @Test func requestsWhoseTimeIsOverAreEnded() async throws {
    let gate = Gate(), batches = Batches()
    let queue = WorkQueue<Int, Int>(.init(waiting: 100, batch: 1, width: 1)) { inputs in
      batches.add(inputs)
      await gate.pass()
      return inputs
    }
    async let first = queue.outcomes(of: items([0]), until: Self.later)
    while batches.all.isEmpty { await Task.yield() }
    let second = Task { try await queue.outcomes(of: self.items([1]), until: .now) }
    while queue.waitingCost == 0 { await Task.yield() }
    queue.expire(at: .now)
    #expect(await second.result.failure?.kind == .deadline)
    gate.open()
    #expect(try await first.map { try $0.get() } == [0])
    #expect(batches.all == [[0]])
  }

  /// What is left of requests that end in every possible way, many at a time.
  @Test func nothingIsLeftBehind() async throws {
    let queue = WorkQueue<Int, Int>(.init(waiting: 500, batch: 3, width: 2)) { inputs in
      await Task.yield()
      if inputs.contains(13) { throw Odd() }
      return inputs
    }
    await withTaskGroup(of: Void.self) { group in
      for request in 0..<500 {
        group.addTask {
          let task = Task { try await queue.outcomes(of: self.items(0..<(request % 20)), until: Self.later) }
          if request % 3 == 0 { task.cancel() }
          _ = await task.result
        }
      }
    }
    #expect(queue.waitingCost == 0)
    #expect(queue.batchesInWork == 0)
  }
}

extension Result where Failure == any Error {
  fileprivate var failure: ServingError? {
    if case .failure(let error) = self { error as? ServingError } else { nil }
  }
}
