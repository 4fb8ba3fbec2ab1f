import TestSupport
import Testing

@testable import Apus

/// Image classifiers in folders are used like those in TFLite files.
@Suite struct FolderClassifierTests {
  @Test(arguments: ["vit", "deit", "deit-distilled", "mobilenetv2", "mobilenetv2-timm"])
  func aFolderIsAClassifier(name: String) throws {
    let path = Checkout.modelFolder(name)
    let classifier = try ImageClassifier(contentsOf: path)
    let result = try classifier.classify(FolderFixture.picture, topK: 100)
    #expect(result.predictions.count == classifier.classCount)
    #expect(abs(result.predictions.reduce(0) { $0 + $1.score } - 1) < 1e-5)
    #expect(classifier.loadMilliseconds.total > 0)
  }

  @Test func aFolderMayBeTheFallbackOfAFile() throws {
    var options = ImageClassifier.Options()
    options.fallbacks = [Checkout.modelFolder("vit")]
    let classifier = try ImageClassifier(contentsOf: "missing.tflite", options: options)
    #expect(classifier.refused.map(\.path) == ["missing.tflite"])
    #expect(classifier.path.hasSuffix("vit"))
  }

  @Test func aModelOfTextsIsRefused() throws {
    let path = Checkout.modelFolder("bert-classifier")
    #expect { try ImageClassifier(contentsOf: path) } throws: {
      ($0 as? ApusError)?.kind == .unsupportedModel
    }
  }
}
