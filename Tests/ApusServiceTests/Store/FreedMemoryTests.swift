import Synchronization
import TensorCore
import Testing

@testable import ApusService

/// What models leave behind goes back to the system when it is worth it, and at once where memory is very short.
@Suite struct FreedMemoryTests {
  /// Counts how often an allocator is to give memory back.
  private final class Trims: Sendable {
    private let count = Mutex(0)

    var all: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  @Test func littleStaysUntilEnoughHasComeTogether() {
    let trims = Trims()
    let memory = FreedMemory { trims.add() }
    let half = FreedMemory.leastByteCount / 2
    memory.giveBack(after: half, always: false)
    memory.giveBack(after: half - 1, always: false)
    #expect(trims.all == 0)
    memory.giveBack(after: 1, always: false)
    #expect(trims.all == 1)
    // It begins anew.
    memory.giveBack(after: half, always: false)
    #expect(trims.all == 1)
    memory.giveBack(after: .max, always: false)
    #expect(trims.all == 2)
  }

  @Test func whereMemoryIsVeryShortAnyOfItGoes() {
    let trims = Trims()
    let memory = FreedMemory { trims.add() }
    let most = FreedMemory.leastByteCount - 1
    memory.giveBack(after: most, always: false)
    memory.giveBack(after: 1, always: true)
    #expect(trims.all == 1)
    // What was kept before went with it.
    memory.giveBack(after: most, always: false)
    memory.giveBack(after: -1, always: false)
    #expect(trims.all == 1)
  }

  @Test func aLoadThatEverybodyLeftGivesBackWhatItHadRoomFor() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    script.change { $0.isOpen = false }
    let type = test.model("a", bytes: 150, script: script)
    let caller = Task { try await test.store.model(for: type).path }
    #expect(await eventually { script.now.begun == 1 })
    caller.cancel()
    await #expect(throws: ApusError.self) { try await caller.value }
    let expected = [ReturnedMemory.Piece(byteCount: 150, always: false)]
    #expect(await eventually { test.returned.all == expected })
  }

  @Test func aLoadThatHadNotBegunHasNothingToGiveBack() async throws {
    let test = try TestStore(limit: 300) { $0.patience = .seconds(3600) }
    let used = try await test.store.model(for: test.model("a", bytes: 200))
    let type = test.model("b", bytes: 200)
    let caller = Task { try await test.store.model(for: type).path }
    #expect(await eventually { test.store.waiters(for: "b") == 1 })
    caller.cancel()
    await #expect(throws: ApusError.self) { try await caller.value }
    let expected = [ReturnedMemory.Piece(byteCount: 0, always: false)]
    #expect(await eventually { test.returned.all == expected })
    withExtendedLifetime(used) {}
  }

  @Test func onlySeverePressureHasSmallModelsGiveMemoryBackAtOnce() async throws {
    let test = try TestStore()
    for name in ["a", "b", "c"] { _ = try await test.store.model(for: test.model(name)) }
    test.set(shares: [0.1])
    await test.store.meet(.warning)
    let one = ReturnedMemory.Piece(byteCount: 100, always: false)
    #expect(test.returned.all == [one])
    await test.store.meet(.critical)
    let rest = ReturnedMemory.Piece(byteCount: 200, always: true)
    #expect(test.returned.all == [one, rest])
  }
}
