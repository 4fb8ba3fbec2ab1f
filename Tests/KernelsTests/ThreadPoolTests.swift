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

  /// After a thread stood still, jobs are done by their callers for a while, and shared again later.
  @Test func aThreadWithoutProcessorIsNotWaitedForAgain() {
    let pool = ThreadPool(size: 2)
    /// Whether the other thread took part in a job, in which it sleeps for so many microseconds.
    func isShared(sleeping microseconds: UInt32) -> Bool {
      let others = Counter()
      pool.parallel(count: 64, grain: 1, threads: 2) { _, worker in
        if worker > 0 {
          others.add(1)
          usleep(microseconds)
        } else {
          usleep(20)
        }
      }
      return others.value > 0
    }
    // The other thread may not have begun when a job is over, and this one lose its processor for all of the pause.
    let isAlone = (0..<1000).contains { _ in isShared(sleeping: 50_000) && !isShared(sleeping: 0) }
    #expect(isAlone)
    let isSharedAgain = (0..<1000).contains { _ in isShared(sleeping: 0) }
    #expect(isSharedAgain)
  }

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
