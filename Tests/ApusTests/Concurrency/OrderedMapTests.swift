import Apus
import Synchronization
import TestSupport
import Testing

/// Results come in the order of the inputs, of which no more are taken than are worked on, and nothing goes on that
/// nobody waits for.
@Suite struct OrderedMapTests {
  private struct Failure: Error, Equatable {}

  /// Elements that others wait for: later ones are ready sooner.
  private func pause(_ element: Int) async {
    for _ in 0..<(7 &* element) % 13 { await Task.yield() }
  }

  private func stream(_ elements: Range<Int>) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }

  @Test(arguments: [1, 2, 5, 64, 1000])
  func resultsAreInTheOrderOfTheElements(width: Int) async {
    let expected = (0..<200).map { $0 * 3 }
    let work: @Sendable (Int) async -> Int = {
      await pause($0)
      return $0 * 3
    }
    #expect(await Array(stream(0..<200).orderedMap(width: width, work)) == expected)
    #expect(await Array((0..<200).orderedMap(width: width, work)) == expected)
    #expect(await Array(stream(0..<0).orderedMap(width: width, work)).isEmpty)
    #expect(await Array((0..<0).orderedMap(width: width, work)).isEmpty)
  }

  @Test(arguments: [1, 3, 8])
  func asManyAsTheWidthAreInWorkAndNoMore(width: Int) async {
    func work(_ gauge: Gauge) -> @Sendable (Int) async -> Void {
      { element in
        await gauge.during {
          // The first ones wait for each other: fewer in work would never end.
          while element < width, gauge.highest < width { await Task.yield() }
          await pause(element)
        }
      }
    }
    let (ofStream, ofSequence) = (Gauge(), Gauge())
    for await _ in stream(0..<100).orderedMap(width: width, work(ofStream)) {}
    for await _ in (0..<100).orderedMap(width: width, work(ofSequence)) {}
    #expect(ofStream.highest == width && ofSequence.highest == width)
  }

  /// What is taken and not given yet is counted by its life.
  @Test(arguments: [1, 4])
  func anEndlessSequenceIsHeldNoFurtherThanTheWidth(width: Int) async {
    let gauge = Gauge()
    let endless = AsyncStream { Token(gauge) }
    var count = 0
    for await _ in endless.orderedMap(width: width, { $0 }) {
      count += 1
      if count == 5000 { break }
    }
    // The one that the loop holds, too.
    #expect(gauge.highest <= width + 1)
    while gauge.current > 0 { await Task.yield() }

    let other = Gauge()
    count = 0
    for await _ in sequence(first: 0, next: { $0 + 1 }).lazy.map({ _ in Token(other) }).orderedMap(
      width: width, { $0 })
    {
      count += 1
      if count == 5000 { break }
    }
    #expect(other.highest <= width + 1)
    while other.current > 0 { await Task.yield() }
  }

  @Test func aSlowConsumerHoldsTheWorkBack() async {
    let taken = Mutex(0)
    let endless = AsyncStream<Int> {
      taken.withLock {
        $0 += 1; return $0
      }
    }
    var given = 0
    for await _ in endless.orderedMap(width: 3, { $0 }).orderedMap(width: 2, { $0 }) {
      given += 1
      for _ in 0..<50 { await Task.yield() }
      #expect(taken.withLock { $0 } <= given + 5)
      if given == 40 { break }
    }
  }

  @Test func anElementThatFailsGivesItsErrorAndTheOthersGoOn() async throws {
    let work: @Sendable (Int) async throws(Failure) -> Int = { (element) async throws(Failure) in
      if element % 3 == 1 { throw Failure() }
      return element
    }
    let expected = (0..<30).map { $0 % 3 == 1 ? Result<Int, Failure>.failure(Failure()) : .success($0) }
    #expect(await Array(stream(0..<30).orderedResults(width: 4, work)) == expected)
    #expect(await Array((0..<30).orderedResults(width: 4, work)) == expected)
  }

  @Test(arguments: [1, 4, 50])
  func anErrorOfTheSequenceComesAfterTheResultsBefore(width: Int) async {
    let failing = AsyncThrowingStream<Int, any Error> { continuation in
      for element in 0..<20 { continuation.yield(element) }
      continuation.finish(throwing: Failure())
    }
    var results: [Int] = []
    var iterator = failing.orderedMap(width: width) {
      await pause($0)
      return $0
    }.makeAsyncIterator()
    await #expect(throws: Failure.self) {
      while let result = try await iterator.next() { results.append(result) }
    }
    #expect(results == Array(0..<20))
    #expect((try? await iterator.next()) == .some(nil))
  }

  @Test func cancellingTheConsumerCancelsTheWorkAndTheSequence() async {
    let gauge = Gauge()
    let isStopped = Mutex(false)
    let consumer = Task {
      let endless = AsyncStream {
        1
      } onCancel: {
        isStopped.withLock { $0 = true }
      }
      var count = 0
      for await _ in endless.orderedMap(width: 3, { _ in await gauge.untilCancelled() }) { count += 1 }
      return count
    }
    while gauge.current < 3 { await Task.yield() }
    consumer.cancel()
    #expect(await consumer.value == 0)
    while gauge.current > 0 || !isStopped.withLock({ $0 }) { await Task.yield() }
  }

  @Test func leavingTheLoopCancelsTheWorkAndTheSequence() async {
    let work = Gauge()
    let isStopped = Mutex(false)
    let taken = Mutex(-1)
    let endless = AsyncStream<Int> {
      taken.withLock {
        $0 += 1; return $0
      }
    } onCancel: {
      isStopped.withLock { $0 = true }
    }
    for await _ in endless.orderedMap(width: 3, { if $0 > 0 { await work.untilCancelled() } }) {
      while work.current < 3 { await Task.yield() }
      break
    }
    while work.current > 0 || !isStopped.withLock({ $0 }) { await Task.yield() }
    for await _ in (0...).orderedMap(width: 3, { if $0 > 0 { await work.untilCancelled() } }) {
      while work.current < 2 { await Task.yield() }
      break
    }
    while work.current > 0 { await Task.yield() }
  }

  /// The second element is sent when the first is answered.
  @Test func aResultDoesNotWaitForTheNextElement() async {
    let (elements, sender) = AsyncStream.makeStream(of: Int.self)
    sender.yield(0)
    var results: [Int] = []
    for await result in elements.orderedMap(width: 8, { $0 }).orderedMap(width: 8, { $0 }) {
      results.append(result)
      if results.count < 5 { sender.yield(results.count) } else { sender.finish() }
    }
    #expect(results == Array(0..<5))
  }

  @Test func stagesInARowKeepTheOrderAndTheirOwnWidth() async {
    let (wide, narrow) = (Gauge(), Gauge())
    let sums = stream(0..<300)
      .orderedMap(width: 6) { element in
        await wide.during { await pause(element) }
        return element
      }
      .chunks(ofCount: 7)
      .orderedMap(width: 1) { chunk in await narrow.during { chunk.reduce(0, +) } }
    let expected = stride(from: 0, to: 300, by: 7).map { ($0..<min($0 + 7, 300)).reduce(0, +) }
    #expect(await Array(sums) == expected)
    #expect(
      await Array((0..<9).orderedMap { $0 + 1 }.orderedMap(width: 1) { $0 * 2 }) == (1..<10).map { $0 * 2 })
    #expect(wide.highest <= 6 && narrow.highest == 1)
  }
}
