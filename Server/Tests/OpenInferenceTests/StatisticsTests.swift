import Apus
import ApusServing
import InferenceProtocol
import OpenInference
import Testing

/// Statistics have the fields of Triton's extension: requests succeed and fail, batches are executed, and items are inferred,
/// wait and have stages, which Triton's own server counts by requests.
@Suite struct StatisticsTests {
  let service: OpenInferenceService

  init() throws { service = try SampleServer.service() }

  private func statistics(of name: String) throws -> ModelStatistics {
    let models = try service.statistics(of: name, version: nil).models
    return try #require(models.first)
  }

  @Test func itemsAreInferredAndRequestsSucceed() async throws {
    let texts = try InferenceTensor("text", ["A joy.", "Dull."], .vector(2))
    _ = try await service.infer(InferenceRequest(inputs: [texts]), on: "sentiment", version: nil)
    let known = try statistics(of: "sentiment")
    #expect(known.inferenceCount == 2 && (1...2).contains(known.executionCount))
    // A moment after 2020.
    #expect(known.lastInference > 1_577_836_800_000)
    let stages = known.stages
    #expect(stages.success.count == 1 && stages.failure.count == 0)
    #expect(stages.queue.count == 2 && stages.input.count == 2)
    #expect(stages.inference.count == known.executionCount)
    // A stage that takes no tick of the clock is not there.
    #expect(stages.output.count <= 2)
  }

  @Test func picturesHaveInputStages() async throws {
    let file = try SampleServer.picture("four-orange-mushrooms")
    let length = (0..<4).map { UInt8(truncatingIfNeeded: file.count >> ($0 * 8)) }
    let picture = try InferenceTensor("image", .bytes, .vector(1), bytes: (length + file)[...])
    _ = try await service.infer(InferenceRequest(inputs: [picture]), on: "leaf", version: nil)
    let input = try statistics(of: "leaf").stages.input
    #expect(input.count == 1)
  }

  @Test func anOutputThatThereIsNotRunsNothing() async throws {
    let tensors = try ["input_ids", "attention_mask"].map { name in
      try InferenceTensor(
        name, .int64, InferenceShape([1, 20]), bytes: [UInt8](repeating: 0, count: 160)[...])
    }
    let request = try InferenceRequest(inputs: tensors, outputs: [RequestedOutput("nope")])
    let error = await #expect(throws: ServingError.self) {
      try await service.infer(request, on: "scenes", version: nil)
    }
    #expect(error?.kind == .invalid && error?.message.contains("no output 'nope'") == true)
    let known = try statistics(of: "scenes")
    #expect(known.executionCount == 0)
    #expect(known.stages.success.count == 0 && known.stages.failure.count == 1)
  }

  @Test func aTaskHasNoSuchOutputEither() async throws {
    let texts = try InferenceTensor("text", ["A joy."], .vector(1))
    let request = try InferenceRequest(inputs: [texts], outputs: [RequestedOutput("nope")])
    let error = await #expect(throws: ServingError.self) {
      try await service.infer(request, on: "sentiment", version: nil)
    }
    #expect(error?.kind == .invalid && error?.message.contains("no output 'nope'") == true)
    let known = try statistics(of: "sentiment")
    #expect(known.executionCount == 0)
    #expect(known.stages.success.count == 0 && known.stages.failure.count == 1)
  }

  @Test func whatIsNoPictureFails() async throws {
    let broken = try InferenceTensor("image", .bytes, .vector(1), bytes: [3, 0, 0, 0, 1, 2, 3])
    await #expect(throws: ServingError.self) {
      try await service.infer(InferenceRequest(inputs: [broken]), on: "leaf", version: nil)
    }
    let known = try statistics(of: "leaf")
    #expect(known.stages.success == ModelStatistics.Duration() && known.stages.failure.count == 1)
    #expect(known.inferenceCount == 0 && known.executionCount == 0 && known.lastInference == 0)
  }
}
