import Apus
import Testing

@testable import ApusServing

@Suite struct TowerScoringTests {
  private func tower(_ change: (inout ServedModelOptions) -> Void = { _ in }) -> TowerScoring {
    var options = ServedModelOptions("towers", name: "towers")
    change(&options)
    return TowerScoring(options)
  }

  @Test func theScaleIsSaidBySomebody() throws {
    let request = ZeroShotReading(logitScale: 10)
    #expect(try tower().complete(request, model: "a").logitScale == 10)
    let served = tower { $0.logitScale = 5 }
    #expect(try served.complete(ZeroShotReading(), model: "a").logitScale == 5)
    #expect(try served.complete(request, model: "a").logitScale == 10)
    #expect(throws: ServingError.self) { try tower().complete(ZeroShotReading(), model: "a") }
    #expect(throws: ServingError.self) {
      try served.complete(ZeroShotReading(scoring: .sigmoid), model: "a")
    }
    // Whether padding is masked is said when the embedder of labels is opened.
    #expect(try tower { $0.masksPadding = true }.complete(request, model: "a").masksPadding == nil)
    #expect(tower().hasOwnLogits(ZeroShotReading(scoring: .sigmoid)) && !tower().hasOwnLogits(request))
    #expect(!served.hasOwnLogits(ZeroShotReading()))
  }

  /// Only with a bias are logits read one by one.
  @Test func aSigmoidNeedsABias() async throws {
    let served = tower {
      $0.logitScale = 5
      $0.logitBias = -2
    }
    let request = ZeroShotReading(scoring: .sigmoid)
    let reading = try served.complete(request, model: "a")
    #expect(reading == ZeroShotReading(scoring: .sigmoid, logitScale: 5, logitBias: -2))
    let model = try await TextEmbedder.load(Checkout.modelFolder("clip-text-projection"))
    let labels = try await model.embed(labels: ["a cat", "a dog"])
    let item = TowerScoring.Item(
      embedding: labels.embeddings[0].values, labels: ["a cat", "a dog"], reading: reading)
    let result = try await served.outcome(of: item, by: model)
    #expect(result.scoring == .sigmoid && abs(result.predictions[0].logit - 3) < 1e-4)
    // What a call gives counts first.
    let own = ZeroShotReading(scoring: .sigmoid, logitScale: 5, logitBias: -4)
    #expect(try served.complete(own, model: "a") == own)
    #expect(try tower().complete(own, model: "a") == own)
    // Without a scale there is none to add to.
    let unscaled = tower { $0.logitBias = -2 }
    let error = #expect(throws: ServingError.self) { try unscaled.complete(request, model: "a") }
    #expect(error?.kind == .invalid && error?.message.contains("--logit-scale") == true)
  }

  /// Labels stand in the templates that the server was started with.
  @Test func labelsAreScoredInTheirTemplates() async throws {
    let model = try await TextEmbedder.load(Checkout.modelFolder("clip-text-projection"))
    let templates = ["a photo of {}", "{}"]
    let tower = tower { $0.templates = templates }
    let names = ["a cat", "a dog"]
    let labels = try await model.embed(labels: names, templates: templates)
    let item = TowerScoring.Item(
      embedding: labels.embeddings[1].values, labels: names, reading: ZeroShotReading(logitScale: 10))
    let result = try await tower.outcome(of: item, by: model)
    let expected = try labels.classify(embedding: labels.embeddings[1], scoring: .softmax, logitScale: 10)
    #expect(result.predictions == expected.predictions)
    #expect(result.predictions[0].label == "a dog" && abs(result.predictions[0].logit - 10) < 1e-4)
    #expect(try await tower.outcome(of: item, by: model).predictions == result.predictions)
  }
}
