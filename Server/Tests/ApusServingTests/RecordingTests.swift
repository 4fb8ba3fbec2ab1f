import Apus
import ApusService
import Testing

@testable import ApusServing

/// What is taken down of requests, and of their items.
@Suite struct RecordingTests {
  private let server: ModelServer

  init() throws {
    server = try ModelServer([
      ServedModelOptions(Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite"), name: "leaf"),
      ServedModelOptions(Checkout.modelFolder("bert-classifier"), name: "stars"),
      ServedModelOptions(Checkout.modelFolder("bert-sentence"), name: "sentence"),
    ])
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
    #expect(requests.stages[.total]?.count == 2 && requests.stages[.run]?.count == 6)
    let executions = model.executions
    #expect([executions.items, executions.takenItems] == [6, 6])
    #expect((2...6).contains(executions.executions))
    #expect(executions.waitingNanoseconds > 0)
    // A moment after 2020.
    #expect(executions.lastMilliseconds > 1_577_836_800_000)
  }

  @Test func vectorsHaveRunsToo() async throws {
    let model = try server.model("sentence")
    _ = try await model.embed([.text("a cat"), .text("a dog")], truncates: true)
    let requests = try requests(of: "sentence")
    #expect(requests.stages[.run]?.count == 2 && model.executions.items == 2)
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
