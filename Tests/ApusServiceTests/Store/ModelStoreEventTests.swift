import Apus
import TensorCore
import TestSupport
import Testing

@testable import ApusService

/// A listener hears of what happened in the order in which it happened.
@Suite struct ModelStoreEventTests {
  /// What a listener knows of a model by what it was told.
  private struct Told {
    enum Phase { case absent, loading, loaded }

    var phase = Phase.absent
    /// How often it was let go of while somebody had it, who lets go of it later, or goes on with it.
    var left = 0

    /// - Returns: whether the event can follow those before.
    mutating func follow(_ next: Phase, isInUse: Bool = false) -> Bool {
      defer { phase = next }
      switch (phase, next) {
      case (.absent, .loading), (.loading, .loaded): return true
      case (.loaded, .absent):
        if isInUse { left += 1 }
        return true
      case (.absent, .absent):
        left -= isInUse ? 0 : 1
        return left >= 0
      default: return false
      }
    }
  }

  private static func wrong(in events: [StoreEvent]) -> [String] {
    var models: [String: Told] = [:]
    var wrong: [String] = []
    for event in events {
      var isRight = true
      switch event {
      case .loading(let name, _): isRight = models[name, default: Told()].follow(.loading)
      case .loaded(let name, _, _, _): isRight = models[name, default: Told()].follow(.loaded)
      case .unloaded(_, let memory):
        for name in memory.models {
          isRight = models[name, default: Told()].follow(.absent) && isRight
        }
        for name in memory.inUse {
          isRight = models[name, default: Told()].follow(.absent, isInUse: true) && isRight
        }
      default: break
      }
      if !isRight { wrong.append("\(event)") }
    }
    return wrong
  }

  /// Six tasks load and unload a model each, in a store that has room for four. No listener misses any of 900 events.
  @Test(arguments: 0..<12) func comeInOrder(_ seed: Int) async throws {
    let test = try TestStore(limit: 400) { $0.patience = .seconds(3600) }
    let types = (0..<6).map { test.model("\($0)", bytes: 100) }
    let stream = test.store.events
    let listener = Task {
      var events: [StoreEvent] = []
      for await event in stream { events.append(event) }
      return events
    }
    await withTaskGroup(of: Void.self) { group in
      for (index, type) in types.enumerated() {
        group.addTask {
          var random = SeededRandom(seed: UInt64(100 * seed + index))
          for _ in 0..<50 {
            _ = try? await test.store.model(for: type)
            if Int.random(in: 0..<4, using: &random) > 0 { await test.store.unload(type) }
            if Int.random(in: 0..<8, using: &random) == 0 { _ = await test.store.look() }
          }
        }
      }
    }
    await test.store.unloadAll()
    test.store.broadcast.finish()
    let events = await listener.value
    let loads = types.reduce(0) { $0 + test.store.loads(of: $1) }
    let told = events.count { if case .loaded = $0 { true } else { false } }
    #expect(told == loads && loads > 100)
    let wrong = Self.wrong(in: events)
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  /// Who goes on with a model finds that its loading was told.
  @Test func areToldBeforeAnybodyGoesOn() async throws {
    let test = try TestStore()
    for number in 0..<200 {
      let type = test.model("\(number)", bytes: 1)
      let stream = test.store.events
      _ = try await test.store.model(for: type)
      // All that is told ends with what is told here.
      test.store.broadcast.tell(.pressure(.critical))
      var names: [String] = []
      for await event in stream {
        if case .pressure = event { break }
        if case .loaded(let name, _, _, _) = event { names.append(name) }
      }
      #expect(names == [type.name])
    }
  }

  /// What is known late keeps its place, and who listens later does not hear of it.
  @Test func placesAreKept() async {
    let broadcast = Broadcast<Int>(capacity: 10)
    let early = broadcast.stream()
    broadcast.tell(1)
    let place = broadcast.reserve()
    broadcast.tell(3)
    let late = broadcast.stream()
    broadcast.enter(4)
    broadcast.tell(2, at: place)
    broadcast.finish()
    var (first, second): ([Int], [Int]) = ([], [])
    for await element in early { first.append(element) }
    for await element in late { second.append(element) }
    #expect(first == [1, 2, 3, 4] && second == [4])
  }
}
