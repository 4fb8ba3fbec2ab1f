import CLibrary
import Dispatch
import Kernels
import Testing

@Suite struct JobRecorderTests {
  private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Twenty jobs that take milliseconds, and when each began and ended.
  private func recorded(_ pool: ThreadPool, threads: Int) -> ([ClosedRange<UInt64>], [JobPart]) {
    pool.recordingParts {
      (0..<20).map { _ in
        let start = Self.now()
        pool.parallel(count: 16, grain: 1, threads: threads) { range, _ in usleep(UInt32(200 * range.count)) }
        return start...Self.now()
      }
    }
  }

  @Test func partsLieWithinTheirJobAndNeverOverlap() throws {
    let (jobs, parts) = recorded(ThreadPool(size: 3), threads: 3)
    #expect(!parts.isEmpty)
    #expect(parts.allSatisfy { part in jobs.contains { $0.contains(part.start) && $0.contains(part.end) } })
    for (_, own) in Dictionary(grouping: parts, by: \.thread) {
      let ordered = own.sorted { $0.start < $1.start }
      for (part, next) in zip(ordered, ordered.dropFirst()) { #expect(part.end <= next.start) }
    }
    for job in jobs {
      let sum = parts.filter { job.contains($0.start) }.reduce(0) { $0 + $1.end - $1.start }
      #expect(sum <= 3 * (job.upperBound - job.lowerBound))
    }
  }

  @Test func bothThreadsOfALongJobHaveParts() {
    let (_, parts) = recorded(ThreadPool(size: 2), threads: 2)
    #expect(Set(parts.filter { $0.activity == .work }.map(\.thread)) == [0, 1])
    #expect(Set(parts.filter { $0.activity == .wait }.map(\.thread)) == [0])
  }

  @Test func nothingIsTakenDownUnasked() {
    let pool = ThreadPool(size: 2)
    pool.parallel(count: 16, grain: 1, threads: 2) { _, _ in }
    #expect(pool.recordingParts {}.1.isEmpty)
    #expect(recorded(pool, threads: 1).1.isEmpty)
    pool.parallel(count: 16, grain: 1, threads: 2) { _, _ in }
    #expect(pool.recordingParts {}.1.isEmpty)
  }
}
