import Synchronization
import Testing

@testable import ApusServing

private final class Notes: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite struct TurnsTests {
  @Test func nothingBeginsBeforeWhatCameFirstHasEnded() async {
    let turns = Turns(), gate = Gate(), notes = Notes()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<20 {
        group.addTask {
          await turns.run { () async in
            notes.add("\(index) begins")
            await gate.pass()
            notes.add("\(index) ends")
          }
        }
      }
      await gate.wait(for: 1)
      try? await Task.sleep(for: .milliseconds(20))
      #expect(gate.count == 1)
      gate.open()
    }
    let found = notes.all
    #expect(found.count == 40)
    for place in stride(from: 0, to: found.count - 1, by: 2) {
      #expect(found[place].replacing(" begins", with: " ends") == found[place + 1])
    }
  }

  @Test func turnsComeInTheOrderInWhichTheyWereAskedFor() async {
    let turns = Turns(), gate = Gate(), notes = Notes()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await turns.run { () async in await gate.pass() } }
      await gate.wait(for: 1)
      for index in 0..<10 {
        group.addTask { await turns.run { () async in notes.add("\(index)") } }
        while turns.waitingCount <= index { try? await Task.sleep(for: .milliseconds(1)) }
      }
      gate.open()
    }
    #expect(notes.all == (0..<10).map { "\($0)" })
  }

  @Test func aFailureEndsATurn() async throws {
    let turns = Turns(), error = ServingError(.failed, "x")
    await #expect(throws: error) {
      try await turns.run { () async throws(ServingError) -> Void in throw error }
    }
    let next = await turns.run { () async -> Int in 7 }
    #expect(next == 7)
  }
}
