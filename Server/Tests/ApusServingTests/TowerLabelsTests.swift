import Apus
import Testing

@testable import ApusServing

@Suite struct TowerLabelsTests {
  private func labels(_ change: (inout ServedModelOptions) -> Void = { _ in }) -> TowerLabels {
    var options = ServedModelOptions("towers", name: "towers")
    change(&options)
    return TowerLabels(options)
  }

  @Test func theScaleIsSaidBySomebody() throws {
    let request = ZeroShotReading(logitScale: 10)
    #expect(try labels().scale(request, model: "a") == 10)
    let served = labels { $0.logitScale = 5 }
    #expect(try served.scale(ZeroShotReading(), model: "a") == 5)
    #expect(try served.scale(request, model: "a") == 10)
    #expect(throws: ServingError.self) { try labels().scale(ZeroShotReading(), model: "a") }
    #expect(throws: ServingError.self) {
      try served.scale(ZeroShotReading(scoring: .sigmoid), model: "a")
    }
  }

  /// What is kept is what the model would make of each label by itself, and belongs to that model.
  @Test func labelsAreEmbeddedOnceForAModel() async throws {
    let path = Checkout.modelFolder("clip-text-projection")
    let model = try await TextEmbedder.load(path)
    let tower = labels { $0.templates = ["a photo of {}", "{}"] }
    let names = ["a cat", "a dog"]
    let vector = [Float](repeating: 1, count: model.width)
    let item = TowerLabels.Scoring(embedding: vector, labels: names, scale: 10)
    let first = try await tower.outcome(of: item, by: model)
    let keys = names.map { Array($0.utf8) }
    let known = tower.known(keys, to: model)
    let alone = try await model.embed(labels: ["a dog"], templates: ["a photo of {}", "{}"])
    #expect(known.count == 2 && known[keys[1]] == alone.embeddings[0])
    let more = TowerLabels.Scoring(embedding: vector, labels: ["a bird", "a dog"], scale: 10)
    #expect(try await tower.outcome(of: more, by: model).predictions.count == 2)
    let again = try await tower.outcome(of: item, by: model)
    #expect(again.predictions == first.predictions)
    let other = try await TextEmbedder.load(path)
    #expect(tower.known(keys, to: other).isEmpty)
  }
}
