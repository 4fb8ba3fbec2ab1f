import Apus
import TensorCore
import Testing

@testable import ApusService

/// Models go when there is no room, when they are not used, and when memory is short: never those in use.
@Suite struct ModelStoreMemoryTests {
  /// Opens models in turn, and lets go of them at once.
  private func open(_ types: [ServiceModel<FakeModel>], in test: TestStore) async throws {
    for type in types { _ = try await test.store.model(for: type) }
  }

  @Test func theOneUsedLongestAgoGoesFirst() async throws {
    let test = try TestStore(limit: 300)
    let types = ["a", "b", "c", "d"].map { test.model($0) }
    try await open(Array(types[0..<3]), in: test)
    try await open([types[0]], in: test)
    try await open([types[3]], in: test)
    #expect(types.map(test.store.isLoaded) == [true, false, true, true])
    // As many go as are in the way.
    try await open([test.model("e", bytes: 200)], in: test)
    #expect(types.map(test.store.isLoaded) == [false, false, false, true])
    #expect(test.store.counted == 300)
  }

  @Test func modelsInUseAndPinnedOnesStay() async throws {
    let test = try TestStore(limit: 300)
    let types = ["a", "b", "c", "d"].map { test.model($0) }
    let used = try await test.store.model(for: types[0])
    try test.store.pin(types[1])
    try await open(Array(types[1..<4]), in: test)
    #expect(types.map(test.store.isLoaded) == [true, true, false, true])
    try test.store.unpin(types[1])
    try await open([types[2]], in: test)
    #expect(types.map(test.store.isLoaded) == [true, false, true, true])
    withExtendedLifetime(used) {}
  }

  @Test func whatNeverFitsIsRefusedAndNothingGoesForIt() async throws {
    let test = try TestStore(limit: 300) { $0.patience = .seconds(3600) }
    let small = test.model("a")
    try await open([small], in: test)
    let error = await #expect(throws: ApusError.self) {
      try await test.store.model(for: test.model("b", bytes: 301))
    }
    #expect(error?.kind == .resources)
    #expect(error?.modelFailure == ModelFailure("b", .insufficientMemory(needed: 301, available: 300)))
    #expect(error?.advice?.contains("the option byteLimit") == true, "\(error?.advice ?? "")")
    #expect(test.store.isLoaded(small))
    let none = try TestStore(limit: 0)
    await #expect(throws: ApusError.self) { try await none.store.model(for: none.model("a", bytes: 1)) }
    #expect(throws: ApusError.self) { try TestStore(limit: -1) }
  }

  /// What a model says before it is opened may be wrong.
  @Test func aModelThatTurnsOutTooLargeIsRefused() async throws {
    let test = try TestStore(limit: 300)
    let script = FakeModel.Script()
    let type = ServiceModel<FakeModel>(
      "a", at: "/a", options: .init(bytes: 400, script: script), memory: 10)
    for _ in 0..<2 {
      let error = await #expect(throws: ApusError.self) { try await test.store.model(for: type) }
      #expect(error?.modelFailure == ModelFailure("a", .insufficientMemory(needed: 400, available: 300)))
    }
    // The second time it is known.
    #expect(script.now.begun == 1)
    #expect(await eventually { script.now.alive == 0 && test.store.counted == 0 })
  }

  @Test func aLoadWaitsForRoomThatIsInUseOnlyAsLongAsItMay() async throws {
    let test = try TestStore(limit: 300) { $0.patience = .seconds(60) }
    let script = FakeModel.Script()
    let (first, second) = (test.model("a", bytes: 200, script: script), test.model("b", bytes: 200))
    var used: FakeModel? = try await test.store.model(for: first)
    let waiting = Task { try await test.store.model(for: second) }
    #expect(await eventually { test.store.waiters(for: "b") == 1 })
    withExtendedLifetime(used) {}
    used = nil
    _ = try await waiting.value
    #expect(!test.store.isLoaded(first) && script.now.alive == 0)
    // Now the other way round, and nobody lets go.
    let kept = try await test.store.model(for: second)
    let late = Task { try await test.store.model(for: first) }
    #expect(await eventually { test.store.waiters(for: "a") == 1 })
    // It may not have looked at the clock before the first step.
    #expect(
      await eventually {
        test.advance(by: .seconds(61))
        return test.store.waiters(for: "a") == 0
      })
    let error = await #expect(throws: ApusError.self) { try await late.value }
    #expect(error?.modelFailure == ModelFailure("a", .insufficientMemory(needed: 200, available: 100)))
    withExtendedLifetime(kept) {}
  }

  /// Others in the process, and other programs, take memory too.
  @Test func theSystemsMemoryCountsBesideTheLimit() async throws {
    let test = try TestStore(limit: 300)
    let types = ["a", "b"].map { test.model($0) }
    try await open([types[0]], in: test)
    test.set(available: 50)
    let error = await #expect(throws: ApusError.self) { try await test.store.model(for: types[1]) }
    #expect(error?.modelFailure == ModelFailure("b", .insufficientMemory(needed: 100, available: 50)))
    // What could go went first.
    #expect(!test.store.isLoaded(types[0]))
    test.set(available: nil)
    try await open([types[1]], in: test)
  }

  @Test func modelsGoWhenTheirTimeIsOver() async throws {
    let test = try TestStore { $0.timeToLive = .seconds(60) }
    let types = [
      test.model("a"), test.model("b", timeToLive: .seconds(600)), test.model("c"), test.model("d"),
    ]
    try await open(types, in: test)
    try test.store.pin(types[3])
    var used: FakeModel? = try await test.store.model(for: types[2])
    test.advance(by: .seconds(59))
    #expect(await test.store.look())
    #expect(types.map(test.store.isLoaded) == [true, true, true, true])
    test.advance(by: .seconds(1))
    _ = await test.store.look()
    #expect(types.map(test.store.isLoaded) == [false, true, true, true])
    withExtendedLifetime(used) {}
    used = nil
    // Its time began when it was last seen in use.
    test.advance(by: .seconds(59))
    _ = await test.store.look()
    #expect(types.map(test.store.isLoaded) == [false, true, true, true])
    test.advance(by: .seconds(1))
    _ = await test.store.look()
    #expect(types.map(test.store.isLoaded) == [false, true, false, true])
  }

  /// The clock cannot go back, but a virtual machine that was moved may have one that does.
  @Test func aClockThatJumpsTakesNothingAwayTooEarlyOrForGood() async throws {
    let test = try TestStore { $0.timeToLive = .seconds(60) }
    let type = test.model("a")
    try await open([type], in: test)
    test.advance(by: .seconds(-500))
    _ = await test.store.look()
    #expect(test.store.isLoaded(type))
    try await open([type], in: test)
    test.advance(by: .seconds(1_000_000_000))
    _ = await test.store.look()
    #expect(!test.store.isLoaded(type))
    try await open([type], in: test)
    #expect(test.store.isLoaded(type))
  }

  @Test func unloadingReturnsTheModelsAndSaysWhoIsInUse() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    let types = ["a", "b"].map { test.model($0, script: script) }
    try await open(types, in: test)
    var used: FakeModel? = try await test.store.model(for: types[1])
    let all = await test.store.unloadAll()
    #expect(all.models == ["a"] && all.inUse == ["b"] && all.counted == 100)
    #expect(all.before > 0 && all.after > 0)
    #expect(script.now.alive == 1 && !test.store.isLoaded(types[1]))
    // It is counted until it is gone, and whoever asks meanwhile gets the same.
    #expect(test.store.counted == 100)
    #expect(try await test.store.model(for: types[1]) === used)
    #expect(script.now.begun == 2 && test.store.isLoaded(types[1]))
    #expect(await test.store.unload(types[1]).inUse == ["b"])
    used = nil
    #expect(script.now.alive == 0 && test.store.counted == 0)
    let nothing = await test.store.unload(types[0])
    #expect(nothing.models.isEmpty && nothing.inUse.isEmpty)
  }

  @Test func unloadingDuringALoadLeavesItToThoseWhoWait() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    script.change { $0.isOpen = false }
    let type = test.model("a", script: script)
    let waiting = Task { try await test.store.model(for: type).path }
    #expect(await eventually { script.now.begun == 1 })
    await test.store.unload(type)
    script.change { $0.isOpen = true }
    #expect(try await waiting.value == "/a")
    #expect(!test.store.isLoaded(type))
    #expect(await eventually { script.now.alive == 0 && test.store.counted == 0 })
  }

  @Test func pressureTakesUnusedModelsOneByOneUntilThereIsEnough() async throws {
    let test = try TestStore()
    let types = ["a", "b", "c", "d"].map { test.model($0) }
    try await open(types, in: test)
    test.set(shares: [0.9, 0.7])
    await test.store.meet(.warning)
    #expect(types.map(test.store.isLoaded) == [false, false, true, true])
    let used = try await test.store.model(for: types[3])
    #expect(used.hasIdleMemory)
    test.set(shares: [0.9])
    await test.store.meet(.warning)
    #expect(types.map(test.store.isLoaded) == [false, false, false, true])
    #expect(!used.hasIdleMemory)
  }

  @Test func severePressureRefusesModelsThatLeaveTooLittle() async throws {
    let test = try TestStore()
    let types = ["a", "b", "c"].map { test.model($0) }
    try await open([types[0], types[1]], in: test)
    let used = try await test.store.model(for: types[0])
    test.set(available: 124)
    await test.store.meet(.critical)
    #expect(types.map(test.store.isLoaded) == [true, false, false])
    let error = await #expect(throws: ApusError.self) { try await test.store.model(for: types[2]) }
    #expect(error?.modelFailure == ModelFailure("c", .insufficientMemory(needed: 100, available: 99)))
    // What is there is still given.
    #expect(try await test.store.model(for: types[0]) === used)
    test.set(available: 125)
    try await open([types[2]], in: test)
    await test.store.unload(types[2])
    test.set(available: 100)
    await test.store.meet(.normal)
    try await open([types[2]], in: test)
  }
}
