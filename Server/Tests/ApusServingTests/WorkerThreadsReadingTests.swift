import Apus
import Testing

@testable import ApusServing

@Suite struct WorkerThreadsReadingTests {
  /// A thread of Swift's pool always runs a task; a worker thread runs none.
  @Test func onlyWhatIsLongIsReadElsewhere() async {
    let isElsewhere: @Sendable () -> Bool = { withUnsafeCurrentTask { $0 == nil } }
    #expect(await !WorkerThreads.read(bytes: WorkerThreads.quickBytes, isElsewhere))
    #expect(await WorkerThreads.read(bytes: WorkerThreads.quickBytes + 1, isElsewhere))
  }

  @Test(arguments: [0, WorkerThreads.quickBytes + 1])
  func whatIsWrongIsSaid(bytes: Int) async {
    await #expect(throws: ServingError(.invalid, "No.")) {
      try await WorkerThreads.read(bytes: bytes) { () throws(ServingError) -> Int in
        throw ServingError(.invalid, "No.")
      }
    }
  }
}
