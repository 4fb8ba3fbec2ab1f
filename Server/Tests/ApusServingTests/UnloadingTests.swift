import Apus
import Testing

@testable import ApusServing

/// A model that was taken out answers nothing, and stays out, whoever was about to use it.
@Suite struct UnloadingTests {
  private let server: ModelServer
  private let model: ServedModel

  init() throws {
    server = try ModelServer([ServedModelOptions(Checkout.modelFolder("bert-sentence"), name: "sentence")])
    model = server.models[0]
  }

  private func error<Value>(_ body: () async throws(ServingError) -> Value) async -> ServingError? {
    do throws(ServingError) {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test func nothingIsAnswered() async throws {
    try await model.load()
    #expect(try await model.encode(["a cat"], addsSpecialTokens: true).count == 1)
    await model.unload()
    #expect(model.state == .withdrawn)
    let errors = [
      await error { () async throws(ServingError) in try await model.embed([.text("a")], truncates: true) },
      await error { () async throws(ServingError) in
        try await model.encode(["a cat"], addsSpecialTokens: true)
      },
      await error { () async throws(ServingError) in try await model.decode([[1]], skipsSpecialTokens: true)
      },
      await error { () async throws(ServingError) in try await model.facts() },
    ]
    #expect(errors.map { $0?.kind } == [.unavailable, .unavailable, .unavailable, .unavailable])
    #expect(!model.store.isLoaded(model.forms.textEmbedder))
    try await model.load()
    #expect(try await model.encode(["a cat"], addsSpecialTokens: true).count == 1)
  }

  /// What still waits when it is taken out does not bring it back.
  @Test func whatWaitsDoesNotOpenItAgain() async throws {
    let encoding = try await TextEmbedder.load(Checkout.modelFolder("bert-sentence")).encode("a cat")
    try await model.load()
    await model.unload()
    let outcomes = try await model.queues.textEmbedding.outcomes(
      of: [(encoding, 1)], until: ContinuousClock.now + .seconds(60))
    #expect(outcomes.count == 1)
    #expect(throws: ServingError(.unavailable, "Model 'sentence' was unloaded.")) { try outcomes[0].get() }
    #expect(!model.store.isLoaded(model.forms.textEmbedder))
  }

  /// Its files may be others, and who has the old one is still to get what belongs to that.
  @Test func itIsOpenedAnewWhenNobodyHasItAnyMore() async throws {
    try await model.load()
    var held: TextEmbedder? = try await model.opened(model.forms.textEmbedder)
    let before = try #require(loads)
    await model.unload()
    let loading = Task { [model] in try await model.load() }
    try await Task.sleep(for: .milliseconds(50))
    #expect(model.state == .withdrawn && held?.width == 24)
    held = nil
    try await loading.value
    #expect(model.state == .ready && loads == before + 1)
  }

  /// How often the form for vectors was opened.
  private var loads: Int? {
    model.store.status().models.first { $0.name == model.forms.textEmbedder.name }?.loads
  }

  /// Whatever runs at the same time, what was asked for last holds.
  @Test func callsAreDoneInTheirOrder() async throws {
    for _ in 0..<20 {
      async let first: Void = model.load()
      async let second: Void = model.unload()
      async let request = model.embed([.text("a cat")], truncates: true)
      try await first
      await second
      _ = try? await request
      try await model.load()
      #expect(model.state == .ready && model.store.isLoaded(model.forms.textEmbedder))
      await model.unload()
      #expect(model.state == .withdrawn && !model.store.isLoaded(model.forms.textEmbedder))
    }
  }

  /// A client that is gone does not put back what another took out.
  @Test func aCancelledLoadLeavesItOut() async throws {
    await model.unload()
    let loading = Task { [model] in
      try? await Task.sleep(for: .seconds(60))
      try await model.load()
    }
    loading.cancel()
    await #expect(throws: ServingError(.cancelled, "The client is gone.")) { try await loading.value }
    #expect(model.state == .withdrawn)
  }
}
