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
  @Test(.enabled(if: SharedData.isPresent), arguments: forms.indices)
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
