import Apus
import TensorCore
import Testing

@testable import ApusService

/// A lesser form of a model takes over where a better one is too slow or too large, and the better one comes back.
@Suite struct ModelStoreQualityTests {
  private func changes(_ test: TestStore) -> AsyncStream<StoreEvent>.Iterator {
    test.store.events.makeAsyncIterator()
  }

  private func nextChange(_ events: inout AsyncStream<StoreEvent>.Iterator) async -> String {
    while let event = await events.next() { if case .quality = event { return "\(event)" } }
    return ""
  }

  @Test func whereMemoryIsShortTheBestThatFitsIsTaken() async throws {
    let test = try TestStore(limit: 250)
    var events = changes(test)
    let type = test.model("a", bytes: 400, fallbacks: [300, 200])
    #expect(try await test.store.model(for: type).path == "/a-low")
    let first = await nextChange(&events)
    #expect(first == "a: medium quality in place of high (memory)")
    let second = await nextChange(&events)
    #expect(second == "a: low quality in place of medium (memory)")
    let none = test.model("b", bytes: 400, fallbacks: [300])
    let error = await #expect(throws: ApusError.self) { try await test.store.model(for: none) }
    #expect(error?.modelFailure == ModelFailure("b", .insufficientMemory(needed: 300, available: 250)))
  }

  @Test func aModelThatIsToldNotToDoesNotGiveWay() async throws {
    let test = try TestStore(limit: 250)
    let variants = [ModelVariant<FakeModel>(.low, at: "/a-low", options: .init(), memory: 100)]
    let type = ServiceModel<FakeModel>(
      "a", at: "/a", options: .init(), memory: 400, fallbacks: variants, isAdaptive: false)
    await #expect(throws: ApusError.self) { try await test.store.model(for: type) }
  }

  /// Runs of a target that none can keep, and of one that all keep.
  @Test func aTargetThatIsMissedBringsTheNextFormAndItsTimeTheBetterOneBack() async throws {
    let test = try TestStore { $0.recovery = .seconds(100) }
    var events = changes(test)
    let type = test.model("a", target: .nanoseconds(1), fallbacks: [50])
    for _ in 0..<TargetWatch.leastRuns - 1 { _ = try await test.store.run(type) { $0.path } }
    #expect(try await test.store.model(for: type).path == "/a")
    _ = try await test.store.run(type) { $0.path }
    let lesser = await nextChange(&events)
    #expect(lesser == "a: medium quality in place of high (latency)")
    #expect(try await test.store.model(for: type).path == "/a-medium")
    test.advance(by: .seconds(99))
    _ = await test.store.look()
    test.advance(by: .seconds(1))
    _ = await test.store.look()
    let better = await nextChange(&events)
    #expect(better == "a: high quality in place of medium (recovery)")
    #expect(try await test.store.model(for: type).path == "/a")
  }

  @Test func aTargetThatIsKeptChangesNothing() async throws {
    let test = try TestStore()
    let type = test.model("a", target: .seconds(3600), fallbacks: [50])
    for _ in 0..<300 { #expect(try await test.store.run(type) { $0.path } == "/a") }
    #expect(test.store.monitor.snapshot().models.first?.all.runs == 300)
  }

  @Test func oneInFiveMayMissTheTarget() {
    var watch = TargetWatch()
    let kept = (1...1000).map { watch.misses($0 % 5 == 0 ? 2 : 1, target: 1) }
    #expect(!kept.contains(true))
    var other = TargetWatch()
    let missed = (1...1000).map { other.misses($0 % 4 == 0 ? 2 : 1, target: 1) }
    #expect(!missed.prefix(TargetWatch.leastRuns - 1).contains(true) && missed.contains(true))
  }

  @Test func runsAreRecordedWithWhatBecameOfThem() async throws {
    let test = try TestStore()
    let type = test.model("a")
    struct Odd: Error, Equatable { let reason: Int }
    for (error, reason) in [
      (ApusError(.image, "no picture"), ModelFailure.Reason.invalidInput),
      (ApusError(.malformedModel, "not finite"), .inferenceFailed),
    ] {
      let found = await #expect(throws: ApusError.self) {
        try await test.store.run(type) { _ in throw error }
      }
      #expect(found?.modelFailure == ModelFailure("a", reason))
    }
    // A program's own error is what it threw.
    await #expect(throws: Odd(reason: 7)) { try await test.store.run(type) { _ in throw Odd(reason: 7) } }
    await #expect(throws: CancellationError.self) {
      try await test.store.run(type) { _ in throw CancellationError() }
    }
    #expect(try await test.store.run(type) { $0.options.bytes } == 100)
    let recorded = test.store.monitor.snapshot().models.first
    #expect(recorded?.all.runs == 1 && recorded?.all.failures == 3 && recorded?.memoryByteCount == 100)
  }
}
