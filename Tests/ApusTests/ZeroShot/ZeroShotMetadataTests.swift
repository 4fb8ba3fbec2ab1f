import Foundation
import TestSupport
import Testing

@testable import Apus

/// What a `meta.json` in the folder of a CLIP or SigLIP says of scores counts as it does beside a classifier.
@Suite struct ZeroShotMetadataTests {
  private let picture = FolderFixture.picture
  private let labels = ["a cat", "a dog", "leaf blast on rice"]

  private func folder(_ name: String, _ metadata: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    try folder.write("meta.json", metadata)
    return folder
  }

  @Test(arguments: ["clip", "siglip"])
  func logitsAreDividedByTheTemperature(_ name: String) throws {
    let plain = try ZeroShotClassifier(Checkout.modelFolder(name)).blocking.classify(picture, labels: labels)
    let folder = try folder(name, #"{"temperature": 2.5}"#)
    let classifier = try ZeroShotClassifier(folder.path)
    #expect(classifier.temperature == 2.5)
    let result = try classifier.blocking.classify(picture, labels: labels)
    let sum = plain.predictions.reduce(0.0) { $0 + exp(Double($1.logit) / 2.5) }
    for (before, after) in zip(plain.predictions, result.predictions) {
      #expect(after.logit == before.logit && after.label == before.label)
      #expect(abs(Double(after.softmax) - exp(Double(before.logit) / 2.5) / sum) < 1e-5)
      #expect(abs(Double(after.sigmoid) - 1 / (1 + exp(-Double(before.logit) / 2.5))) < 1e-5)
    }
    let embedding = try ImageEmbedder(folder.path).blocking.embed(picture)
    let embedded = try classifier.blocking.classify(embedding: embedding, labels: labels)
    for (one, other) in zip(embedded.predictions, result.predictions) {
      #expect(abs(one.score - other.score) < 1e-4)
    }
  }

  /// It was fitted to the model's own scale: who names another means that and nothing else.
  @Test func aScaleThatIsNamedCountsAlone() throws {
    let plain = try ZeroShotClassifier(Checkout.modelFolder("clip"))
    let folder = try folder("clip", #"{"temperature": 2.5}"#)
    let classifier = try ZeroShotClassifier(folder.path)
    let reading = ZeroShotReading(logitScale: 10)
    let expected = try plain.blocking.classify(picture, labels: labels, reading: reading).predictions
    #expect(
      try classifier.blocking.classify(picture, labels: labels, reading: reading).predictions == expected)
    let scaled = try ZeroShotClassifier(folder.path, options: .init(logitScale: 10))
    #expect(scaled.temperature == 1)
    #expect(try scaled.blocking.classify(picture, labels: labels).predictions == expected)
  }

  @Test func scoresBelowTheThresholdAreUncertain() throws {
    // No share of labels that are so near is all of 1.
    let folder = try folder("clip", #"{"threshold_default": 1, "temperature": 100}"#)
    let classifier = try ZeroShotClassifier(folder.path)
    #expect(classifier.threshold == 1)
    let result = try classifier.blocking.classify(picture, labels: labels)
    #expect(result.isUncertain && result.uncertainty == .lowScore)
    let other = try ZeroShotClassifier(folder.path, options: .init(threshold: 0))
    #expect(try !other.blocking.classify(picture, labels: labels).isUncertain)
    #expect(try ZeroShotClassifier(Checkout.modelFolder("clip")).threshold == 0)
  }

  @Test(arguments: [
    #"{"threshold_default": 75}"#, #"{"temperature": 0}"#, #"{"temprature": 2}"#, #"{"temperature": "2"}"#,
  ])
  func whatMakesNoSenseIsRefusedByName(_ metadata: String) throws {
    let folder = try folder("siglip", metadata)
    let error = #expect(throws: ApusError.self) { try ZeroShotClassifier(folder.path) }
    #expect(error?.kind == .configuration && error?.description.contains("meta.json") == true)
  }
}
