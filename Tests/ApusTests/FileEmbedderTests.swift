import Foundation
import TestSupport
import Testing

@testable import Apus

/// A TFLite file that takes a picture embeds it: what it puts out is the vector, as real numbers.
struct FileEmbedderTests {
  @Test func theOutputIsTheVector() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("tower.tflite", ColourModel.bytes(softmax: false))
    let embedder = try ImageEmbedder(path)
    #expect(try embedder.blocking.embed(ColourModel.picture(255, 0, 255)).values == [1, -1, 1])
    let unit = try ImageEmbedder(path, options: .init(length: .unit))
    let expected = [Float](repeating: Float(1 / 3.0.squareRoot()), count: 3)
    #expect(try unit.blocking.embed(ColourModel.picture(255, 255, 255)).values == expected)
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data"))
  func integersStandForRealNumbers() throws {
    let path = SharedData.path("tflite/imagenet/mobilenet_v1_0.25_128_quant.tflite")
    let picture = Picture.file(SharedData.path("tflite/images/burger.jpg"))
    let values = try ImageEmbedder(path).blocking.embed(picture).values
    let classifier = try ImageClassifier(path)
    let best = try classifier.blocking.classify(picture, topK: 1).predictions[0]
    #expect(values.count == classifier.labels.count && values[best.index] == best.score)
    #expect(values.allSatisfy { ($0 * 256).rounded() == $0 * 256 })
  }

  @Test func aClassifierSaysThatItsVectorsAreProbabilities() throws {
    let scratch = try TemporaryFolder()
    for isClassifier in [false, true] {
      let path = try scratch.write("model.tflite", ColourModel.bytes(softmax: isClassifier))
      #expect(try ImageEmbedder(path).givesProbabilities == isClassifier)
    }
    #expect(try !ImageEmbedder(Checkout.modelFolder("clip")).givesProbabilities)
  }

  @Test func aTowerOfTextsIsNoneOfPictures() throws {
    let error = try #require(throws: ApusError.self) {
      try ImageEmbedder(Checkout.modelFolder("clip-text"))
    }
    #expect("\(error)".contains("the model is a text encoder"), "\(error)")
  }

  @Test(arguments: ["clip-vision", "clip-vision-projection", "siglip-vision", "dinov2", "dinov2-registers"])
  func aTowerByItselfEmbedsPictures(_ name: String) throws {
    let values = try ImageEmbedder(Checkout.modelFolder(name)).blocking.embed(FolderFixture.picture).values
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let isAsComputed = name == "clip-vision" || name.hasPrefix("dinov2")
    #expect((abs(length - 1) < 1e-5) != isAsComputed)
  }

  @Test(arguments: ["clip-text", "clip-text-projection", "siglip-text"])
  func aTowerByItselfEmbedsTexts(_ name: String) throws {
    let fixture = try FolderFixture(name)
    let embedder = try TextEmbedder(Checkout.modelFolder(name), options: .init(length: .raw))
    let expected = try fixture.rows(fixture.expected.text_embeddings)
    for (text, row) in zip(fixture.expected.texts, expected) {
      expectClose(try embedder.blocking.embed(text).values, row)
    }
  }
}
