import TestSupport
import Testing

@testable import Apus

/// Folders with ONNX files answer as those with safetensors.
@Suite struct ONNXFolderTests {
  private let sentences = ["The film was a joy!", "dull, lifeless", "x", "a photo of a cat"]

  @Test func texts() throws {
    func scores(_ path: String, _ variant: String? = nil) throws -> [Float] {
      let options = TextClassifier.Options(inference: .init(variant: variant))
      return try TextClassifier(path, options: options).blocking.classify(sentences).flatMap {
        $0.predictions.sorted { $0.index < $1.index }.map(\.score)
      }
    }
    let usual = try scores(Checkout.modelFolder("distilbert-classifier"))
    let folder = try ONNXFolder.make("distilbert-classifier", keepsWeights: true)
    expectClose(try scores(folder.path, "fp32"), usual)
    let small = try scores(folder.path, "int8")
    #expect(small != usual && zip(small, usual).allSatisfy { abs($0 - $1) < 0.1 })
  }

  @Test func embeddings() throws {
    func rows(_ path: String) throws -> [Float] {
      try TextEmbedder(path).blocking.embed(sentences).flatMap(\.values)
    }
    let folder = try ONNXFolder.make("bert-sentence")
    expectClose(try rows(folder.path), try rows(Checkout.modelFolder("bert-sentence")))
  }

  @Test(arguments: ["vit", "resnet"]) func pictures(_ name: String) throws {
    func scores(_ path: String) throws -> [Float] {
      let result = try ImageClassifier(path).blocking.classify(FolderFixture.picture, topK: 100)
      return result.predictions.sorted { $0.index < $1.index }.map(\.score)
    }
    let folder = try ONNXFolder.make(name)
    expectClose(try scores(folder.path), try scores(Checkout.modelFolder(name)))
  }

  @Test func picturesAgainstTexts() throws {
    func values(_ path: String) throws -> [Float] {
      try ZeroShotClassifier(path).blocking.embed(FolderFixture.picture).values
    }
    let folder = try ONNXFolder.make("clip")
    expectClose(try values(folder.path), try values(Checkout.modelFolder("clip")))
    let labels = ["a cat", "a dog", "rice"]
    let found = try ZeroShotClassifier(folder.path).blocking.classify(FolderFixture.picture, labels: labels)
    #expect(found.predictions.count == 3)
  }

  /// A file with both towers says how it compares embeddings by what it makes of them, whatever it calls the numbers.
  @Test(arguments: ["clip", "siglip"]) func scoresOfTheFileItself(_ name: String) throws {
    func scores(_ path: String) throws -> [Float] {
      let found = try ZeroShotClassifier(path).blocking.classify(
        FolderFixture.picture, labels: ["a cat", "a dog", "rice"])
      return found.predictions.sorted { $0.index < $1.index }.map(\.score)
    }
    let folder = try ONNXFolder.make(name, "\(name)-both")
    expectClose(try scores(folder.path), try scores(Checkout.modelFolder(name)))
  }
}
