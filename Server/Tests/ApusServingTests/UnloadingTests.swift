import Apus
import ServingTestSupport
import Testing

@testable import ApusServing

/// A model that was taken out answers nothing, and stays out, whoever was about to use it.
@Suite struct UnloadingTests {
  private let server: ModelServer
  private let model: ServedModel

  init() throws {
    let sentence = ServedModelOptions(Checkout.modelFolder("bert-sentence"), name: "sentence")
    server = try ModelServer([sentence], limits: .patient)
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

  /// What still waits when it is taken out does not bring it back, nor does it run on what it brings.
  @Test(arguments: [false, true]) func whatWaitsDoesNotOpenItAgain(_ bringsModel: Bool) async throws {
    try await model.load()
    var open: OpenModel? = try await model.access.model(for: model.forms.textEmbedder)
    let text = TokenizedText(encoding: try #require(open?.model.encode("a cat")), time: .zero)
    if !bringsModel { open = nil }
    await model.unload()
    let outcomes = try await model.queues.textEmbedding.outcomes(
      of: [(.init(input: text, open: open), 1)], until: ContinuousClock.now + .patience)
    #expect(outcomes.count == 1)
    #expect(throws: ServingError(.unavailable, "Model 'sentence' was unloaded.")) { try outcomes[0].get() }
    #expect(!model.store.isLoaded(model.forms.textEmbedder))
  }

  /// Its tokens are those of that model, and the store may have put it away meanwhile, and another of the same name in its
  /// place.
  @Test func whatBringsAModelRunsOnThatOne() async throws {
    let form = model.forms.textEmbedder
    let open = try await model.access.model(for: form)
    let text = TokenizedText(encoding: open.model.encode("a cat"), time: .zero)
    let right = try await open.model.embed(encodings: [text.encoding])
    await model.store.unload(form)
    let outcomes = try await model.queues.textEmbedding.outcomes(
      of: [(.init(input: text, open: open), 1)], until: ContinuousClock.now + .patience)
    #expect(try outcomes.map { try $0.get().values } == right.map(\.values))
    // Nobody asked the store for another.
    #expect(!model.store.isLoaded(form) && loads == 1)
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
    for round in 0..<20 {
      let endsLoaded = round.isMultiple(of: 2), gate = Gate()
      let first = Task { [access = model.access] in
        await access.inTurn { () async in await gate.pass() }
      }
      await gate.wait(for: 1)
      async let request = model.embed([.text("a cat")], truncates: true)
      var calls: [Task<Void, any Error>] = []
      for loads in [!endsLoaded, endsLoaded] {
        calls.append(call(loads: loads))
        while model.access.waitingTurns < calls.count { try await Task.sleep(for: .milliseconds(1)) }
      }
      gate.open()
      await first.value
      for call in calls { try await call.value }
      _ = try? await request
      #expect(model.state == (endsLoaded ? .ready : .withdrawn))
      #expect(model.store.isLoaded(model.forms.textEmbedder) == endsLoaded)
    }
  }

  private func call(loads: Bool) -> Task<Void, any Error> {
    Task { [model] in
      if loads { try await model.load() } else { await model.unload() }
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

  /// One that is gone while it is being opened leaves it as it was, at whatever moment; the model has not failed.
  @Test func aLoadThatIsCancelledMeanwhileIsNoFailure() async throws {
    for delay in 0..<20 {
      await model.unload()
      let loading = call(loads: true)
      try await Task.sleep(for: .microseconds(delay * 200))
      loading.cancel()
      let result = await loading.result
      switch result {
      case .success: #expect(model.state == .ready)
      case .failure: #expect(model.state == .withdrawn)
      }
    }
  }
}
