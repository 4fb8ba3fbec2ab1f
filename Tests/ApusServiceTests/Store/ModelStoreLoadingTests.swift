import Apus
import Synchronization
import TensorCore
import Testing

@testable import ApusService

/// A model is opened once for all who ask, and what becomes of that is told to each of them.
@Suite struct ModelStoreLoadingTests {
  @Test func manyCallersAtOnceOpenOnce() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    script.change { $0.isOpen = false }
    let type = test.model("a", script: script)
    let callers = (0..<64).map { _ in Task { try await test.store.model(for: type) } }
    #expect(await eventually { script.now.begun == 1 })
    script.change { $0.isOpen = true }
    var found: Set<ObjectIdentifier> = []
    for caller in callers { found.insert(ObjectIdentifier(try await caller.value)) }
    #expect(found.count == 1 && script.now.begun == 1)
    #expect(try await ObjectIdentifier(test.store.model(for: type)) == found.first)
  }

  @Test func allWhoWaitGetTheErrorAndTheNextTriesAgain() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    let cause = ApusError(.malformedModel, "the file is damaged", file: "/a")
    script.change { ($0.isOpen, $0.failure) = (false, cause) }
    let type = test.model("a", script: script)
    let callers = (0..<16).map { _ in Task { try await test.store.model(for: type) } }
    #expect(await eventually { test.store.waiters(for: "a") == 16 })
    script.change { $0.isOpen = true }
    for caller in callers {
      let error = await #expect(throws: ApusError.self) { try await caller.value }
      #expect(error?.kind == .malformedModel && error?.problem == cause.problem && error?.file == "/a")
      #expect(error?.modelFailure == ModelFailure("a", .loadFailed))
    }
    #expect(script.now.begun == 1)
    script.change { $0.failure = nil }
    _ = try await test.store.model(for: type)
    #expect(script.now.begun == 2)
  }

  /// A monitor, its page and its alerts tell of the model by what people read.
  @Test func theMonitorSaysWhyAModelIsNotThere() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    script.change { $0.failure = ApusError(.malformedModel, "the file is damaged", file: "/a") }
    let type = ServiceModel<FakeModel>(
      "a", displayName: "Leaf disease", at: "/a", options: .init(script: script), memory: 100)
    await #expect(throws: ApusError.self) { try await test.store.model(for: type) }
    let snapshot = test.store.monitor.snapshot()
    #expect(snapshot.models[0].name == "a" && snapshot.models[0].displayName == "Leaf disease")
    #expect(snapshot.models[0].loadFailure?.contains("the file is damaged") == true)
    let page = snapshot.html()
    #expect(page.contains("Leaf disease") && page.contains("the file is damaged"))
    #expect(try PerformanceSnapshot(json: snapshot.json) == snapshot)
    script.change { $0.failure = nil }
    _ = try await test.store.model(for: type)
    #expect(test.store.monitor.snapshot().models[0].loadFailure == nil)
  }

  @Test func whoIsCancelledLeavesTheOthersWaiting() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    script.change { $0.isOpen = false }
    let type = test.model("a", script: script)
    let (stays, goes) = (
      Task { try await test.store.model(for: type) }, Task { try await test.store.model(for: type) }
    )
    #expect(await eventually { test.store.waiters(for: "a") == 2 })
    goes.cancel()
    let error = await #expect(throws: ApusError.self) { try await goes.value }
    #expect(error?.kind == .cancelled && error?.modelFailure == nil)
    script.change { $0.isOpen = true }
    #expect(try await stays.value.path == "/a")
    #expect(script.now.begun == 1)
  }

  @Test func aLoadEndsWhenNobodyWaitsAndTheNextBeginsAnew() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    script.change { $0.isOpen = false }
    let type = test.model("a", script: script)
    let callers = (0..<3).map { _ in Task { try await test.store.model(for: type) } }
    #expect(await eventually { test.store.waiters(for: "a") == 3 && script.now.begun == 1 })
    for caller in callers { caller.cancel() }
    for caller in callers { await #expect(throws: ApusError.self) { try await caller.value } }
    #expect(await eventually { script.now.ended == 1 })
    script.change { $0.isOpen = true }
    _ = try await test.store.model(for: type)
    #expect(script.now.begun == 2)
    // Nothing of what was given up is counted.
    #expect(await eventually { test.store.counted == 100 })
  }

  @Test func whoIsCancelledBeforeItAsksGetsAnError() async throws {
    let test = try TestStore()
    let type = test.model("a")
    let asked = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await test.store.model(for: type)
    }
    asked.cancel()
    let error = await #expect(throws: ApusError.self) { try await asked.value }
    #expect(error?.kind == .cancelled)
    _ = try await test.store.model(for: type)
  }

  /// Who cancels asks for the store while the end of the load has it.
  @Test(.timeLimit(.minutes(20))) func loadsEndWhileTheirCallersAreCancelled() async throws {
    let test = try TestStore()
    for round in 0..<500 {
      let type = test.model("m\(round)")
      let callers = (0..<4).map { _ in Task { try? await test.store.model(for: type).path } }
      for caller in callers { Task.detached { caller.cancel() } }
      for caller in callers { _ = await caller.value }
      #expect(test.store.waiters(for: "m\(round)") == 0)
    }
  }

  @Test func aNameIsThatOfOneModel() async throws {
    let test = try TestStore()
    _ = try await test.store.model(for: test.model("a"))
    let other = ServiceModel<FakeModel>("a", at: "/b", options: .init(), memory: 1)
    let error = await #expect(throws: ApusError.self) { try await test.store.model(for: other) }
    #expect(error?.kind == .argument && error?.modelFailure?.reason == .invalidInput)
    // The same model described again is the same.
    _ = try await test.store.model(for: test.model("a"))
  }

  @Test func whatIsNotAvailableSaysSo() async throws {
    let test = try TestStore()
    let planned = ServiceModel<FakeModel>("a", at: "/a", options: .init(), memory: 1, isAvailable: false)
    let error = await #expect(throws: ApusError.self) { try await test.store.model(for: planned) }
    #expect(error?.modelFailure == ModelFailure("a", .notAvailable))
    #expect(error?.summary == "model 'a': its description says that it is not available.")
    #expect(error?.advice?.contains("isAvailable") == true)
    let huge = ServiceModel<FakeModel>(
      "b", at: "/b", options: .init(), memory: 1, requirements: ModelRequirements(memory: .max / 2))
    let lacking = await #expect(throws: ApusError.self) { try await test.store.model(for: huge) }
    #expect(lacking?.modelFailure == ModelFailure("b", .notAvailable) && lacking?.kind == .resources)
  }

  @Test func whatIsNotLoadedCanBeAskedForWithoutOpening() async throws {
    let test = try TestStore()
    let type = test.model("a")
    let error = #expect(throws: ApusError.self) { try test.store.loadedModel(for: type) }
    #expect(error?.modelFailure == ModelFailure("a", .notLoaded))
    #expect(error?.summary == "model 'a': it is not in memory.")
    #expect(error?.advice?.contains("model(for:)") == true)
    #expect(!test.store.isLoaded(type))
    let model = try await test.store.model(for: type)
    #expect(try test.store.loadedModel(for: type) === model && test.store.isLoaded(type))
  }

  @Test func modelsAreOpenedBeforehandAndThoseThatFailAreNamed() async throws {
    let test = try TestStore()
    let script = FakeModel.Script()
    script.change { $0.failure = ApusError(.file, "is gone") }
    let types = [test.model("a"), test.model("b", script: script), test.model("c")]
    let errors = await test.store.preload(types)
    #expect(errors.keys.sorted() == ["b"])
    #expect(types.map(test.store.isLoaded) == [true, false, true])
  }

  @Test func whatHappensIsTold() async throws {
    let test = try TestStore()
    let type = test.model("a")
    var events = test.store.events.makeAsyncIterator()
    _ = try await test.store.model(for: type)
    await test.store.unload(type)
    var told: [String] = []
    for _ in 0..<3 { told.append(await events.next().map { "\($0)" } ?? "") }
    #expect(told[0] == "a: loading in high quality")
    #expect(told[1].hasPrefix("a: loaded in high quality, "))
    #expect(told[2].hasPrefix("a: unloaded, "))
  }
}

extension ModelStore {
  /// How many wait for a model.
  func waiters(for name: String) -> Int {
    state.withLock { $0.entries[ExactText(name)]?.load?.waiters.count ?? 0 }
  }

  /// Bytes that the store counts.
  var counted: Int { state.withLock { $0.byteCount() } }
}
