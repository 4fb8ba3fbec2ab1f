import Formats
import Graph
import TensorCore
import Testing

@testable import Models

/// Every architecture in a small form with random weights gives PyTorch's numbers.
struct ArchitectureTests {
  @Test(arguments: [
    "vit", "vit-grey", "deit", "deit-distilled", "mobilenetv2", "mobilenetv2-timm", "mobilenetv2-torchvision",
  ])
  func imageClassifiersGiveTheLogitsOfPyTorch(_ name: String) throws {
    let fixture = try ModelFixture(name)
    for picture in try fixture.pictures() {
      guard
        case .imageClassifier(let model) = try ModelArchitecture.load(fixture.folder, imageSize: picture.size)
      else { throw ApusError(.unsupportedModel, "no image classifier") }
      #expect(model.tower.imageSize == picture.size)
      #expect(model.tower.channels == picture.channels)
      expectClose(
        try ModelFixture.run(model.tower, picture), try picture.numbers("logits"), "\(name) \(picture.size)")
    }
  }

  @Test(arguments: ["clip", "clip-gelu", "open-clip", "open-clip-custom-text", "siglip", "siglip2"])
  func dualEncodersGiveTheEmbeddingsOfPyTorch(_ name: String) throws {
    let fixture = try ModelFixture(name)
    for picture in try fixture.pictures() {
      guard case .dualEncoder(let model) = try ModelArchitecture.load(fixture.folder, imageSize: picture.size)
      else { throw ApusError(.unsupportedModel, "no dual encoder") }
      let images = try ModelFixture.run(model.image, picture)
      expectClose(images, try picture.numbers("embeddings"), "\(name) \(picture.size)")
      let ids = try fixture.ids(model.text.paddedLength == nil ? "ids" : "padded_ids")
      let texts = try ModelFixture.run(model.text, ids)
      expectClose(texts, try fixture.numbers("text_embeddings"), "\(name) texts")
      expectClose(
        logits(images, texts, model), try picture.numbers("logits"), "\(name) \(picture.size) logits")
    }
  }

  private func logits(_ images: [Float], _ texts: [Float], _ model: DualEncoder) -> [Float] {
    let width = model.image.outputWidth
    let rows = { (numbers: [Float]) in
      stride(from: 0, to: numbers.count, by: width).map { start -> [Float] in
        let row = numbers[start..<start + width]
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / length }
      }
    }
    return rows(images).flatMap { image in
      rows(texts).map { text in
        zip(image, text).reduce(0) { $0 + $1.0 * $1.1 } * model.logitScale + model.logitBias
      }
    }
  }

  @Test(arguments: [
    "bert-classifier", "distilbert-classifier", "roberta-classifier", "xlm-roberta-classifier",
  ])
  func textClassifiersGiveTheLogitsOfPyTorch(_ name: String) throws {
    let fixture = try ModelFixture(name)
    guard case .textClassifier(let model) = try ModelArchitecture.load(fixture.folder) else {
      throw ApusError(.unsupportedModel, "no text classifier")
    }
    #expect(model.labels.count == model.tower.outputWidth)
    expectClose(
      try ModelFixture.run(model.tower, fixture.ids()), try fixture.numbers("logits"), "\(name)")
  }

  @Test(arguments: [("bert-sentence", true), ("bert-sentence-cls", false)])
  func sentenceEncodersGiveThePooledFeaturesOfPyTorch(_ name: String, _ normalizes: Bool) throws {
    let fixture = try ModelFixture(name)
    guard case .textEncoder(let model) = try ModelArchitecture.load(fixture.folder) else {
      throw ApusError(.unsupportedModel, "no text encoder")
    }
    #expect(model.normalizes == normalizes)
    #expect(model.tower.maximumTokens == 32)
    expectClose(
      try ModelFixture.run(model.tower, fixture.ids()), try fixture.numbers("embeddings"), "\(name)")
  }

  @Test
  func scoringFollowsTheProblemType() throws {
    let scoring = try ["bert-classifier", "roberta-classifier", "xlm-roberta-classifier"].map { name in
      guard case .textClassifier(let model) = try ModelArchitecture.load(ModelFixture(name).folder) else {
        return ClassScoring?.none
      }
      return model.scoring
    }
    #expect(scoring == [.softmax, .sigmoid, ClassScoring.none])
  }
}
