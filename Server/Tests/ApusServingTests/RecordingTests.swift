import Apus
import ApusService
import ServingTestSupport
import Testing

@testable import ApusServing

/// What is taken down of requests, and of their items.
@Suite struct RecordingTests {
  private let server: ModelServer

  init() throws {
    let models = [
      ServedModelOptions(Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite"), name: "leaf"),
      ServedModelOptions(Checkout.modelFolder("bert-classifier"), name: "stars"),
      ServedModelOptions(Checkout.modelFolder("bert-sentence"), name: "sentence"),
      ServedModelOptions(Checkout.modelFolder("clip"), name: "both"),
    ]
    server = try ModelServer(models, limits: .patient)
  }

  private func requests(of name: String) throws -> RunSummary {
    let known = server.monitor.snapshot().models.first { $0.name == name }
    return try #require(known).all
  }

  /// Nothing ran for it, so that it has no time.
  @Test func aRequestOfWhichNothingRunsIsAFailure() async throws {
    let model = try server.model("leaf")
    let outcomes = try await model.classify(pictures: [.encoded([1, 2, 3])], topK: nil)
    #expect(outcomes.map { $0.error?.kind } == [.invalid])
    let requests = try requests(of: "leaf")
    #expect([requests.runs, requests.failures] == [0, 1])
    #expect(requests.stages.isEmpty && model.executions == ExecutionCounts())
  }

  /// Protocols answer with the error; what was run for the other picture was run all the same.
  @Test func aRequestWithABrokenItemIsAFailure() async throws {
    let model = try server.model("leaf")
    let pictures = try SampleItems.pictures()
    let outcomes = try await model.classify(pictures: [pictures[0], .encoded([1, 2, 3])], topK: nil)
    #expect(outcomes.map { $0.error == nil } == [true, false])
    let requests = try requests(of: "leaf")
    #expect([requests.runs, requests.failures] == [0, 1])
    #expect([model.executions.items, model.executions.executions] == [1, 1])
    #expect(requests.stages[.total] == nil && requests.stages[.run]?.count == 1)
  }

  @Test func itemsOfARequestAreCountedEach() async throws {
    let model = try server.model("stars")
    for _ in 0..<2 {
      let outcomes = try await model.classify(
        [.text("a cat"), .text("a dog"), .text("a bird")], topK: nil, truncates: true)
      #expect(outcomes.allSatisfy { $0.error == nil })
    }
    let requests = try requests(of: "stars")
    #expect([requests.runs, requests.failures] == [2, 0])
    #expect(requests.stages[.total]?.count == 2 && requests.stages[.tokenize]?.count == 6)
    let executions = model.executions
    #expect(requests.stages[.run]?.count == executions.executions)
    #expect([executions.items, executions.takenItems] == [6, 6])
    #expect((2...6).contains(executions.executions))
    // A moment after 2020.
    #expect(executions.lastMilliseconds > 1_577_836_800_000)
  }

  @Test func vectorsHaveRunsToo() async throws {
    let model = try server.model("sentence")
    _ = try await model.embed([.text("a cat"), .text("a dog")], truncates: true)
    let requests = try requests(of: "sentence")
    #expect(requests.stages[.run]?.count == model.executions.executions && model.executions.items == 2)
    #expect(requests.stages[.tokenize]?.count == 2)
  }

  /// A vector that a client computed runs no network where the labels are known, and is no run, nor the first.
  @Test func vectorsAgainstKnownLabelsRunNothing() async throws {
    let model = try server.model("both")
    let vector = [Float](repeating: 1, count: try await model.facts().embeddingWidth ?? 0)
    let labels = ["a cat", "a dog"]
    func score() async throws {
      _ = try await model.zeroShot(embedding: vector, labels: labels, topK: nil)
    }
    try await score()
    #expect(model.executions.executions == 1)
    let first = try #require(model.loadTimes?.firstRun)
    for _ in 0..<5 { try await score() }
    #expect(model.executions.executions == 1 && model.executions.items == 6)
    #expect(model.loadTimes?.firstRun == first)
    let requests = try requests(of: "both")
    #expect(requests.stages[.run]?.count == 1 && requests.stages[.total]?.count == 6)
    #expect((requests.stages[.run]?.maximum ?? .zero) <= (requests.stages[.total]?.maximum ?? .zero))
  }

  /// The total of a request of one text holds its stages; tokens that the client made took no time here.
  @Test func tokensTakePartOfTheTotal() async throws {
    let model = try server.model("stars")
    // All its tokens are made where it is cut at the left, which takes longer than what follows.
    let text = String(repeating: "a cat ", count: 40_000)
    let outcomes = try await model.classify([.text(text)], topK: nil, truncates: true, cutting: .left)
    let result = try outcomes.only()
    var stages = try requests(of: "stars").stages
    let tokenize = try #require(stages[.tokenize]), total = try #require(stages[.total])
    #expect(result.times.tokenize > .zero)
    #expect(abs((tokenize.maximum - result.times.tokenize) / .nanoseconds(1)) < 10)
    #expect(total.maximum >= tokenize.maximum)
    #expect(total.maximum >= result.times.total)
    let given = try await model.classify([.tokens([1, 2, 3])], topK: nil, truncates: true).only()
    stages = try requests(of: "stars").stages
    #expect(given.times.tokenize == .zero && stages[.tokenize]?.count == 1)
    #expect(stages[.total]?.count == 2)
  }

  /// What nothing ran for has no stages.
  @Test func tokensOfWhatFailsAreNotCounted() async throws {
    let model = try server.model("stars")
    let outcomes = try await model.classify([.text("a cat"), .text(" ")], topK: nil, truncates: true)
    #expect(outcomes.map { $0.error == nil } == [true, false])
    let stages = try requests(of: "stars").stages
    #expect(stages[.tokenize]?.count == 1 && stages[.run]?.count == 1)
  }

  /// Of what ran all stages count, whatever becomes of its request.
  @Test func tokensOfWhatRanAreCounted() async throws {
    let stars = try server.model("stars"), sentence = try server.model("sentence")
    let scored = try await stars.opened(stars.forms.textClassifier).encode("a cat")
    let embedded = try await sentence.opened(sentence.forms.textEmbedder).encode("a cat")
    let end = ContinuousClock.now + .patience
    for time in [Duration.milliseconds(3), .zero] {
      let text = TokenizedText(encoding: scored, time: time)
      _ = try await stars.queues.textClassification.outcomes(of: [(.init(input: text), 1)], until: end)
      let other = TokenizedText(encoding: embedded, time: time)
      _ = try await sentence.queues.textEmbedding.outcomes(of: [(.init(input: other), 1)], until: end)
    }
    for name in ["stars", "sentence"] {
      let stages = try requests(of: name).stages
      #expect(stages[.tokenize]?.count == 1 && stages[.run]?.count == 2)
    }
  }

  @Test func refusalsAreFailuresAndNothingIsNeither() async throws {
    let model = try server.model("stars")
    await #expect(throws: ServingError.self) {
      try await model.classify([.text("a")], topK: 0, truncates: true)
    }
    _ = try await model.classify([], topK: nil, truncates: true)
    let requests = try requests(of: "stars")
    #expect([requests.runs, requests.failures] == [0, 1])
  }

  /// Texts and pictures are computed apart; the request is one.
  @Test func aRequestOfTextsAndPicturesIsOne() async throws {
    let model = try server.model("both")
    let picture = try SampleItems.pictures()[0]
    let outcomes = try await model.embed([.text("a cat"), .text("a dog")], and: [picture], truncates: true)
    let tokens = try outcomes.all().map(\.tokenCount)
    #expect(tokens.count == 3 && tokens[0] > 0 && tokens[2] == 0)
    var requests = try requests(of: "both")
    #expect([requests.runs, requests.failures] == [1, 0] && model.executions.items == 3)
    _ = try await model.embed([.text("a cat")], and: [.encoded([1, 2, 3])], truncates: true)
    requests = try self.requests(of: "both")
    #expect([requests.runs, requests.failures] == [1, 1])
  }

  /// What a request wants and the model has not is found out when it is open.
  @Test func whatTheModelDoesNotGiveIsAFailure() async throws {
    let sentence = try server.model("sentence"), stars = try server.model("stars")
    let error = ServingError(.invalid, "25 dimensions are asked for; the model's vectors have 24.")
    await #expect(throws: error) {
      try await sentence.embed([.text("a cat")], truncates: true, dimensions: 25)
    }
    _ = try await sentence.embed([.text("a cat")], truncates: true, dimensions: 24)
    let vectors = try requests(of: "sentence")
    #expect([vectors.runs, vectors.failures] == [1, 1])
    await #expect(throws: ServingError.self) {
      try await stars.relevance(of: ["a"], to: "b", truncates: true)
    }
    let scores = try requests(of: "stars")
    #expect([scores.runs, scores.failures] == [0, 1])
  }

  @Test func whoIsGoneIsNoFailure() async throws {
    let model = try server.model("sentence")
    let asking = Task { () async throws(ServingError) -> [Result<TextEmbedding, ServingError>] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await model.embed([.text("a cat")], truncates: true)
    }
    _ = await asking.result
    let requests = try requests(of: "sentence")
    #expect([requests.runs, requests.failures] == [0, 0])
  }
}
