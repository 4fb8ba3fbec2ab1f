import ApusService
import Testing

@testable import ApusServing

@Suite struct ExecutionAccountTests {
  private let account = ExecutionAccount(PerformanceMonitor().recorder(for: "model"))

  private func run(_ number: Int) async throws {
    _ = try await account.executing(by: FormLoad(form: "form", number: number)) { [0] }
  }

  private func isKnown(_ number: Int) -> Bool {
    account.firstRunMilliseconds(of: FormLoad(form: "form", number: number)) != nil
  }

  @Test func theFirstRunOfEachOpeningCounts() async throws {
    #expect(!isKnown(1))
    try await run(1)
    let first = account.firstRunMilliseconds(of: FormLoad(form: "form", number: 1))
    try await run(1)
    #expect(first != nil && account.firstRunMilliseconds(of: FormLoad(form: "form", number: 1)) == first)
    #expect(!isKnown(2))
    try await run(2)
    // One of a model that was opened before, which ends late.
    try await run(1)
    #expect(isKnown(2) && !isKnown(1))
  }
}
