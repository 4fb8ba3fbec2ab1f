import Dispatch
import Foundation
import Kernels
import Synchronization
import Testing

@Suite struct ThreadPoolTests {
  @Test(arguments: [1, 2, 7])
  func everyItemOnce(_ size: Int) {
    let pool = ThreadPool(size: size)
    for count in [0, 1, 2, 63, 64, 65, 1000] {
      for grain in [0, 1, 3, 1000] {
        let hits = Hits(count)
        pool.parallel(count: count, grain: grain, threads: size) { range, worker in
          #expect((0..<size).contains(worker))
          for item in range { hits.hit(item) }
        }
        #expect(hits.all(are: 1), "count \(count) grain \(grain)")
      }
    }
  }

  @Test func rangesDoNotDependOnThreads() {
    let ranges = [2, 3, 7].map { threads in
      let pool = ThreadPool(size: threads)
      let seen = Mutex<[Range<Int>]>([])
      pool.parallel(count: 997, grain: 10, threads: threads) { range, _ in seen.withLock { $0.append(range) }
      }
      return seen.withLock { $0.sorted { $0.lowerBound < $1.lowerBound } }
    }
    #expect(ranges[0] == ranges[1])
    #expect(ranges[0] == ranges[2])
  }

  /// The same part of every job, so that a thread finds in its cache what it wrote in the one before.
  @Test func threadsBeginWithSharesOfTheirOwn() {
    for count in [3, 60, 61] {
      // A new one, which no wait has made cautious.
      let pool = ThreadPool(size: 3)
      let begun = Mutex<[Int: Int]>([:])
      pool.parallel(count: count, grain: 1, threads: 3) { range, worker in
        begun.withLock { begun in if begun[worker] == nil { begun[worker] = range.lowerBound } }
        // None goes on before all have begun.
        let deadline = DispatchTime.now().uptimeNanoseconds + 10_000_000_000
        while begun.withLock({ $0.count }) < 3, DispatchTime.now().uptimeNanoseconds < deadline { usleep(50) }
      }
      #expect(begun.withLock { $0 } == [0: 0, 1: count / 3, 2: 2 * count / 3], "count \(count)")
    }
  }

  /// Callers that meet in one pool, and jobs inside jobs, all finish.
  @Test func callersMeet() async {
    let pool = ThreadPool(size: 3)
    let total = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            pool.parallel(count: 16, grain: 1, threads: 3) { range, _ in
              pool.parallel(count: range.count, grain: 1, threads: 3) { inner, _ in
                total.add(inner.count)
              }
            }
          }
        }
      }
    }
    #expect(total.value == 8 * 200 * 16)
  }

  /// After a thread stood still, jobs are done by their callers for two milliseconds or more, then shared again.
  @Test func aThreadWithoutProcessorIsNotWaitedForAgain() throws {
    let pool = ThreadPool(size: 2)
    /// When a job began, when the other thread last had a part in it, and whether it had; the other sleeps so many
    /// microseconds in each.
    func job(sleeping microseconds: UInt32) -> (begin: Int64, other: Int64, isShared: Bool) {
      let begin = Atomic<Int64>(.max)
      let other = Atomic<Int64>(0)
      pool.parallel(count: 64, grain: 1, threads: 2) { _, worker in
        begin.min(Self.now(), ordering: .relaxed)
        usleep(worker > 0 ? microseconds : 20)
        if worker > 0 { other.max(Self.now(), ordering: .relaxed) }
      }
      let end = other.load(ordering: .relaxed)
      return (begin.load(ordering: .relaxed), end, end > 0)
    }
    // A job may be over before the other thread has begun, and this one lose its processor for all of the pause.
    var next: (begin: Int64, other: Int64, isShared: Bool)?
    for _ in 0..<1000 where next == nil {
      let slow = job(sleeping: 50_000)
      let after = job(sleeping: 0)
      if slow.isShared, after.begin - slow.other < 2_000_000 { next = after }
    }
    #expect(try !#require(next).isShared)
    let isSharedAgain = (0..<1000).contains { _ in job(sleeping: 0).isShared }
    #expect(isSharedAgain)
  }

  private static func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }

  /// What works at a time leaves the pool's threads to the others; alone it has them all.
  @Test func workSharesTheProcessors() {
    let pool = ThreadPool(size: 4)
    /// The threads that took part in jobs, of which there are twenty, and more until so many threads did.
    func threads(working count: Int, until wanted: Int = 1) -> Int {
      guard count == 0 else { return pool.working { threads(working: count - 1, until: wanted) } }
      let most = Atomic<Int>(0)
      for job in 0..<100_000 where job < 20 || most.load(ordering: .relaxed) < wanted {
        pool.parallel(count: 8, grain: 1, threads: 4) { _, worker in
          most.max(worker + 1, ordering: .relaxed)
          usleep(10)
        }
      }
      return most.load(ordering: .relaxed)
    }
    #expect(threads(working: 5) == 1)
    #expect(threads(working: 4) == 1)
    #expect(threads(working: 3, until: 2) == 2)
    #expect(threads(working: 2, until: 2) <= 3)
    #expect(threads(working: 1, until: 2) > 1)
    #expect(threads(working: 0, until: 2) > 1)
  }

  @Test func wakesAfterSleep() {
    let pool = ThreadPool(size: 2)
    for _ in 0..<20 {
      let hits = Hits(64)
      pool.parallel(count: 64, grain: 1, threads: 2) { range, _ in for item in range { hits.hit(item) } }
      #expect(hits.all(are: 1))
      usleep(2000)
    }
  }

  /// Waking takes as long as such a job; a thread that is awake takes part in it.
  @Test func shortJobsWakeNobody() {
    let pool = ThreadPool(size: 2)
    func isShared(nanosecondsPerItem: Int) -> Bool {
      let workers = Mutex<Set<Int>>([])
      pool.parallel(count: 2, nanosecondsPerItem: nanosecondsPerItem, threads: 2) { _, worker in
        _ = workers.withLock { $0.insert(worker) }
        usleep(1000)
      }
      return workers.withLock { $0.count } > 1
    }
    // The worker may not have begun, nor have fallen asleep.
    let isLeftAsleep = (0..<100).contains { _ in
      usleep(10_000)
      return !isShared(nanosecondsPerItem: 3000)
    }
    #expect(isLeftAsleep)
    let isShared = (0..<1000).contains { _ in
      isShared(nanosecondsPerItem: 50_000) && isShared(nanosecondsPerItem: 3000)
    }
    #expect(isShared)
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    func add(_ items: Int) { count.add(items, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }

  private final class Hits: Sendable {
    private let counts: Mutex<[Int]>
    init(_ count: Int) { counts = Mutex(Array(repeating: 0, count: count)) }
    func hit(_ item: Int) { counts.withLock { $0[item] += 1 } }
    func all(are value: Int) -> Bool { counts.withLock { $0.allSatisfy { $0 == value } } }
  }
}
