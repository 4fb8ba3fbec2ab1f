import Apus
import TensorCore
import TestSupport
import Testing

@testable import ApusService

/// Whatever many tasks do at once, the store keeps within its limit, gives what was asked for, and nothing is left.
@Suite struct ModelStoreStressTests {
  @Test(arguments: 0..<4) func manyTasksLeaveNothingBehind(_ seed: Int) async throws {
    let test = try TestStore(limit: 350) { $0.patience = .seconds(3600) }
    let script = FakeModel.Script()
    let types = (0..<6).map { test.model("\($0)", bytes: 50 + 50 * ($0 % 3), script: script) }
    let wrong = await withTaskGroup(of: Int.self) { group in
      for task in 0..<16 {
        group.addTask { await work(test, types, seed: UInt64(100 * seed + task)) }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
    await test.store.unloadAll()
    #expect(await eventually { script.now.alive == 0 && test.store.counted == 0 })
    let status = test.store.status()
    #expect(status.models.count == 6 && status.models.allSatisfy { !$0.isLoaded && !$0.isLoading })
  }

  /// - Returns: how often something was not as it should be.
  private func work(_ test: TestStore, _ types: [ServiceModel<FakeModel>], seed: UInt64) async -> Int {
    var random = SeededRandom(seed: seed)
    var wrong = 0
    for _ in 0..<100 {
      let type = types[Int.random(in: 0..<types.count, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0: await test.store.unload(type)
      case 1: _ = await test.store.look()
      case 2: await test.store.meet(.warning)
      case 3:
        let asked = Task { try await test.store.model(for: type).path }
        asked.cancel()
        if let path = try? await asked.value, path != type.variants[0].path { wrong += 1 }
      default:
        let path = try? await test.store.run(type) { model in
          await Task.yield()
          return model.path
        }
        if path != type.variants[0].path { wrong += 1 }
      }
      if test.store.counted > test.store.byteLimit { wrong += 1 }
    }
    return wrong
  }
}
