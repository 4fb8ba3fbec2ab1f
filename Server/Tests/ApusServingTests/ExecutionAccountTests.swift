import ApusService
import Synchronization
import Testing

@testable import ApusServing

@Suite final class ExecutionAccountTests: Sendable {
  private let monitor = PerformanceMonitor()
  private let account: ExecutionAccount
  private let times = Mutex<[Duration]>([])

  init() { account = ExecutionAccount(monitor.recorder(for: "model")) }

  private func ran(_ milliseconds: [Int]) {
    times.withLock { $0 += milliseconds.map { .milliseconds($0) } }
  }

  private func taken() -> [Duration] {
    times.withLock { times in
      defer { times = [] }
      return times
    }
  }

  /// - Parameter milliseconds: the times of the runs that it takes.
  private func run(_ number: Int, _ milliseconds: [Int] = [7]) async throws {
    _ = try await account.executing(by: FormLoad(form: "form", number: number), times: taken) {
      ran(milliseconds)
      return [0, 0, 0]
    }
  }

  private func first(_ number: Int) -> Double? {
    account.firstRunMilliseconds(of: FormLoad(form: "form", number: number))
  }

  @Test func theFirstRunOfEachOpeningCounts() async throws {
    #expect(first(1) == nil)
    try await run(1)
    try await run(1, [9])
    #expect(first(1) == 7 && first(2) == nil)
    try await run(2)
    // One of a model that was opened before, which ends late.
    try await run(1)
    #expect(first(2) == 7 && first(1) == nil)
  }

  /// Runs count, not items or calls: one for several items, several for one, or none.
  @Test func runsOfNetworksCount() async throws {
    try await run(1, [])
    #expect(account.counts.items == 3 && account.counts.executions == 0 && first(1) == nil)
    #expect(account.counts.lastMilliseconds == 0)
    try await run(1, [30, 10])
    #expect(account.counts.items == 6 && account.counts.executions == 2 && first(1) == 30)
    let stages = try #require(monitor.snapshot().models.first?.all.stages)
    let times = try #require(stages[.run])
    #expect(times.count == 2 && times.maximum == .milliseconds(30) && times.minimum == .milliseconds(10))
  }

  /// What ran while it was opened is part of that.
  @Test func runsOfOpeningDoNotCount() async throws {
    ran([100])
    try await run(1, [5])
    #expect(first(1) == 5 && account.counts.executions == 1)
  }
}
