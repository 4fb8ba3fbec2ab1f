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
}
