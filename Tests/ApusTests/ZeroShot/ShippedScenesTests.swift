import Foundation
import TestSupport
import Testing

@testable import Apus

/// `Weights/scenes` gives each of its sample pictures the sentence that the picture is named by, among those of all.
@Suite struct ShippedScenesTests {
  private let folder = Checkout.file("Weights/scenes")

  private func samples() throws -> [(picture: Picture, sentence: String)] {
    let pictures = folder.appendingPathComponent("samples")
    return try FileManager.default.contentsOfDirectory(atPath: pictures.path).filter { $0.hasSuffix(".png") }
      .sorted()
      .map { name in
        let sentence = name.dropLast(".png".count).split(separator: "-").joined(separator: " ")
        return (.file(pictures.appendingPathComponent(name).path), sentence)
      }
  }

  @Test(arguments: ["{}", "a photo of {}"])
  func everySampleIsGivenItsSentence(template: String) throws {
    let samples = try self.samples()
    try #require(samples.count >= 12)
    var options = ZeroShotClassifier.Options()
    options.templates = [template]
    let classifier = try ZeroShotClassifier(folder.path, options: options)
    for sample in samples {
      let result = try classifier.blocking.classify(sample.picture, labels: samples.map(\.sentence))
      #expect(result.predictions[0].label == sample.sentence)
    }
  }

  /// Both forms, each at its precision.
  private static let forms: [(String, Precision?)] = [("scenes", nil), ("scenes-int8", .int8)]

  private func classifier(_ form: Int) throws -> ZeroShotClassifier {
    let (name, precision) = Self.forms[form]
    var options = ZeroShotClassifier.Options(labels: ["a dog", "a cat"])
    options.inference.precision = precision
    return try ZeroShotClassifier(Checkout.file("Weights/\(name)").path, options: options)
  }

  /// CLARA's reading, softmax(10 · cosine), of an answer that the classifier reads by sigmoid.
  @Test func aCallMayReadScoresInAnotherWay() throws {
    let samples = try samples()
    let labels = samples.prefix(3).map(\.sentence)
    let classifier = try classifier(0)
    let reading = ZeroShotReading(scoring: .softmax, logitScale: 10)
    var options = ZeroShotClassifier.Options(scoring: .softmax, logitScale: 10)
    options.threshold = 0
    let asked = try classifier.blocking.classify(samples[0].picture, labels: labels, reading: reading)
    let opened = try ZeroShotClassifier(classifier.path, options: options)
    let own = try opened.blocking.classify(samples[0].picture, labels: labels)
    #expect(classifier.scoring == .sigmoid && asked.scoring == .softmax)
    #expect(asked.predictions.map(\.score) == own.predictions.map(\.score))
    let vector = try ImageEmbedder(classifier.path).blocking.embed(samples[0].picture)
    #expect(vector.values.count == classifier.width)
    let scored = try classifier.blocking.classify(embedding: vector, labels: labels, reading: reading)
    for (one, other) in zip(scored.predictions, own.predictions) {
      #expect(abs(one.score - other.score) < 1e-5)
    }
    #expect(throws: ApusError.self) {
      try classifier.blocking.classify(
        embedding: vector, labels: labels, reading: .init(logitScale: .infinity))
    }
  }

  @Test func whatIsMissingIsSaid() throws {
    let classifier = try ZeroShotClassifier(folder.path)
    let narrow = #expect(throws: ApusError.self) {
      try classifier.blocking.classify(embedding: Embedding([1, 2]))
    }
    #expect(
      narrow?.summary == "an embedding of 2 numbers, expected \(classifier.width), as the model's have.")
    let none = #expect(throws: ApusError.self) {
      try classifier.blocking.classify(
        embedding: Embedding([Float](repeating: 1, count: classifier.width)))
    }
    #expect(none?.problem.contains("none that the classifier was opened with") == true)
  }

  @Test(arguments: forms.indices) func itsOwnPicturesAreKnownAndNoiseIsForeign(_ form: Int) throws {
    let classifier = try classifier(form)
    for sample in try samples() {
      #expect(try classifier.blocking.classify(sample.picture).uncertainty == nil, "\(sample.sentence)")
    }
    var random = SeededRandom()
    let noise = try RGBImage(width: 64, height: 64, pixels: random.bytes(64 * 64 * 3))
    let answer = try classifier.blocking.classify(.pixels(noise))
    #expect(answer.uncertainty == .foreign)
    #expect(try #require(answer.novelty) > #require(classifier.noveltyThreshold))
  }

  /// Of photographs that nothing was fitted to.
  @Test(.enabled(if: SharedData.isPresent, "needs the shared data"), arguments: forms.indices)
  func photographsAreForeign(_ form: Int) throws {
    let folder = SharedData.path("imagenet150/images")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().prefix(60)
    let classifier = try classifier(form)
    let certain = try names.filter {
      try !classifier.blocking.classify(.file("\(folder)/\($0)")).isUncertain
    }
    #expect(certain.count <= 3, "\(certain)")
  }
}
