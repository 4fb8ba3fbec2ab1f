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
}
