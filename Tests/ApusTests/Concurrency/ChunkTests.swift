import Apus
import Synchronization
import TestSupport
import Testing

/// Chunks have the elements in their order, each once, and never wait longer than they are allowed to.
@Suite struct ChunkTests {
  private struct Failure: Error {}

  @Test(arguments: [(0, 3), (1, 3), (6, 3), (7, 3), (5, 1), (5, 100), (5, 0)], [false, true])
  func allElementsAreInFullChunksButTheLast(_ sizes: (elements: Int, count: Int), hasTime: Bool) async {
    let (elements, count) = sizes
    let stream = AsyncStream { continuation in
      for element in 0..<elements { continuation.yield(element) }
      continuation.finish()
    }
    let length = max(count, 1)
    let expected = stride(from: 0, to: elements, by: length).map { Array($0..<min($0 + length, elements)) }
    #expect(await Array(stream.chunks(ofCount: count, orAfter: hasTime ? .seconds(60) : nil)) == expected)
  }

  /// The rest is sent when the first chunk is there.
  @Test func aChunkIsGivenWhenItsFirstElementHasWaited() async {
    let (elements, sender) = AsyncStream.makeStream(of: Int.self)
    sender.yield(0)
    sender.yield(1)
    var chunks: [[Int]] = []
    let clock = ContinuousClock()
    let begin = clock.now
    for await chunk in elements.chunks(ofCount: 3, orAfter: .milliseconds(50)) {
      if chunks.isEmpty {
        #expect(clock.now - begin >= .milliseconds(50))
        for element in 2..<9 { sender.yield(element) }
        sender.finish()
      }
      chunks.append(chunk)
    }
    #expect(chunks == [[0, 1], [2, 3, 4], [5, 6, 7], [8]])
  }

  @Test func anErrorComesAfterTheChunkBefore() async {
    let failing = AsyncThrowingStream<Int, any Error> { continuation in
      for element in 0..<5 { continuation.yield(element) }
      continuation.finish(throwing: Failure())
    }
    var chunks: [[Int]] = []
    await #expect(throws: Failure.self) {
      for try await chunk in failing.chunks(ofCount: 3) { chunks.append(chunk) }
    }
    #expect(chunks == [[0, 1, 2], [3, 4]])
  }

  @Test func noMoreThanOneChunkIsTakenAhead() async {
    let taken = Mutex(0)
    let endless = AsyncStream<Int> {
      taken.withLock {
        $0 += 1; return $0
      }
    }
    var given = 0
    for await chunk in endless.chunks(ofCount: 4, orAfter: .seconds(60)) {
      given += chunk.count
      for _ in 0..<50 { await Task.yield() }
      #expect(taken.withLock { $0 } <= given + 4)
      if given == 400 { break }
    }
  }

  @Test func cancellingEndsTheChunksAndTheSequence() async {
    let isStopped = Mutex(false)
    let taken = Mutex(0)
    let consumer = Task {
      let endless = AsyncStream<Int> {
        taken.withLock { $0 += 1 }
        if taken.withLock({ $0 }) > 10 { try? await Task.sleep(for: .seconds(3600)) }
        return 1
      } onCancel: {
        isStopped.withLock { $0 = true }
      }
      return await Array(endless.chunks(ofCount: 4, orAfter: .seconds(3600))).count
    }
    while taken.withLock({ $0 }) <= 10 { await Task.yield() }
    consumer.cancel()
    #expect(await consumer.value <= 2)
    while !isStopped.withLock({ $0 }) { await Task.yield() }
  }
}
