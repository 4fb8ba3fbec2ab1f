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
    "bert-classifier", "distilbert-classifier", "distilbert-int8", "roberta-classifier",
    "xlm-roberta-classifier",
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

  @Test(arguments: ["clip", "clip-gelu", "open-clip"])
  func tokensBehindTheEndOfATextMakeNoDifference(_ name: String) throws {
    let fixture = try ModelFixture(name)
    guard case .dualEncoder(let model) = try ModelArchitecture.load(fixture.folder) else {
      throw ApusError(.unsupportedModel, "no dual encoder")
    }
    let ids = try fixture.ids()
    for filler: Int32 in [0, 1, try #require(ids[0].last)] {
      let padded = ids.map { $0 + [Int32](repeating: filler, count: model.text.maximumTokens - $0.count) }
      let (plain, filled) = (try model.text.inputs(ids), try model.text.inputs(padded))
      for (a, b) in zip(plain, filled) {
        #expect(try a.elements(of: Int32.self) == b.elements(of: Int32.self))
      }
    }
  }

  @Test(arguments: ["clip", "bert-classifier", "roberta-classifier", "bert-sentence"])
  func textsDoNotSeeTheirNeighbours(_ name: String) throws {
    let fixture = try ModelFixture(name)
    let tower: any TextTower
    switch try ModelArchitecture.load(fixture.folder) {
    case .dualEncoder(let model): tower = model.text
    case .textClassifier(let model): tower = model.tower
    case .textEncoder(let model): tower = model.tower
    case .imageClassifier: throw ApusError(.unsupportedModel, "no texts")
    }
    let ids = try fixture.ids()
    let together = try ModelFixture.run(tower, ids)
    let alone = try ids.flatMap { try ModelFixture.run(tower, [$0]) }
    expectClose(together, alone, tolerance: 1e-6, name)
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
