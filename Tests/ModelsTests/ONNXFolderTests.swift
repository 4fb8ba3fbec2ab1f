import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Networks of ONNX files give the numbers that PyTorch gives for the model that was exported.
struct ONNXFolderTests {
  private func load(
    _ name: String, _ export: String? = nil, variant: String? = nil, imageSize: ImageSize? = nil
  ) throws -> ModelArchitecture {
    let scratch = try ONNXFolder.make(name, export)
    let folder = try ModelFolder(scratch.path)
    return try ModelArchitecture.load(folder, ONNXFolderFiles(folder, variant: variant), imageSize: imageSize)
  }

  /// The rows of texts, which are run one by one.
  private func rows(_ tower: any TextTower, _ texts: [[Int32]]) throws -> [Float] {
    #expect(tower.takesSingleTexts)
    return try texts.flatMap { try ModelFixture.run(tower, [$0]) }
  }

  @Test(arguments: ["distilbert-classifier", "roberta-classifier"])
  func classifiersOfTexts(_ name: String) throws {
    let (fixture, model) = (try ModelFixture(name), try load(name))
    guard case .classifier(let labels, _) = model.outputs, let tower = model.text else {
      throw ApusError(.unsupportedModel, "no text classifier")
    }
    #expect(labels?.count == tower.outputWidth)
    expectClose(try rows(tower, fixture.ids()), try fixture.numbers("logits"), name)
  }

  /// What the modules of sentence-transformers pool.
  @Test func anEncoderOfTexts() throws {
    let (fixture, model) = (try ModelFixture("bert-sentence"), try load("bert-sentence"))
    guard case .encoder(normalizes: true) = model.outputs, let tower = model.text else {
      throw ApusError(.unsupportedModel, "no text encoder")
    }
    #expect(model.textPreparation.maximumTokens == 32)
    expectClose(try rows(tower, fixture.ids()), try fixture.numbers("embeddings"))
  }

  /// Integers are near, and not the same.
  @Test(arguments: [("bert-sentence", "embeddings"), ("distilbert-classifier", "logits")])
  func variantsOfIntegers(_ name: String, _ key: String) throws {
    let fixture = try ModelFixture(name)
    let tower = try #require(try load(name, variant: "int8").text)
    let (found, exact) = (try rows(tower, fixture.ids()), try fixture.numbers(key))
    expectClose(found, exact, tolerance: 0.1, name)
    #expect(zip(found, exact).contains { abs($0 - $1) > 1e-4 })
  }

  @Test(arguments: ["vit", "resnet"])
  func classifiersOfPictures(_ name: String) throws {
    let picture = try #require(try ModelFixture(name).pictures().first)
    let tower = try #require(try load(name, imageSize: picture.size).image)
    expectClose(try ModelFixture.run(tower, picture), try picture.numbers("logits"), name)
  }

  /// torch's exporter of today, with one picture at a time.
  @Test func theExporterOfTorch() throws {
    let tower = try #require(try load("vit", "vit-newer").image)
    let picture = try #require(try ModelFixture("vit").pictures().first { $0.size == tower.imageSize })
    let pixels: [Float] = try picture.pixels().elements()
    let shape = [1, picture.size.height, picture.size.width, picture.channels]
    let first = try Tensor(Array(pixels.prefix(shape.reduce(1, *))), shape: shape)
    let wanted = try picture.numbers("logits").prefix(tower.outputWidth)
    expectClose(try ModelFixture.output(Compiler.compile(tower.graph(batch: 1)), [first]), Array(wanted))
    let error = #expect(throws: ApusError.self) { try tower.graph(batch: 2) }
    #expect(error?.kind == .argument && error?.problem == "2 pictures")
  }

  /// In two files, and in one with both.
  @Test(arguments: ["clip", "clip-both"])
  func towersForPicturesAndTexts(_ export: String) throws {
    let (fixture, model) = (try ModelFixture("clip"), try load("clip", export))
    guard case .dualEncoder(let comparison) = model.outputs, let image = model.image, let text = model.text
    else { throw ApusError(.unsupportedModel, "no dual encoder") }
    let picture = try #require(try fixture.pictures().first { $0.size == image.imageSize })
    func unit(_ numbers: [Float], _ width: Int) -> [Float] {
      stride(from: 0, to: numbers.count, by: width).flatMap { start -> [Float] in
        let row = numbers[start..<start + width]
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / length }
      }
    }
    expectClose(
      unit(try ModelFixture.run(image, picture), image.outputWidth),
      unit(try picture.numbers("embeddings"), image.outputWidth))
    expectClose(
      unit(try rows(text, fixture.ids()), text.outputWidth),
      unit(try fixture.numbers("text_embeddings"), text.outputWidth))
    // The file with both may have the scale; the others leave it to what CLIP is trained to at most.
    if export == "clip" {
      #expect(abs(comparison.scale - 100) < 1e-3)
      #expect(model.notes.contains { $0.contains("logit_scale") })
    } else {
      #expect(!model.notes.contains { $0.contains("logit_scale") })
    }
  }

  /// Padding behind a text changes nothing; tokens left out elsewhere are refused.
  @Test func tokensLeftOut() throws {
    let fixture = try ModelFixture("bert-sentence")
    let (tower, ids) = (try #require(try load("bert-sentence").text), try fixture.ids()[0])
    let padded = TokenRow(ids + [0, 0], marks: [Int32](repeating: 1, count: ids.count) + [0, 0])
    #expect(try ModelFixture.run(tower, [padded]) == ModelFixture.run(tower, [ids]))
    for gap in [0, 1] {
      var marks = [Int32](repeating: 1, count: ids.count)
      marks[gap] = 0
      #expect(throws: ApusError.self) { try tower.inputs([TokenRow(ids, marks: marks)]) }
    }
  }

  @Test func aFileOfAnotherModelIsRefused() throws {
    let folder = try ONNXFolder.make("distilbert-classifier", "bert-sentence")
    let model = try ModelFolder(folder.path)
    let tower = try #require(try ModelArchitecture.load(model, ONNXFolderFiles(model, variant: nil)).text)
    #expect(throws: ApusError.self) { try tower.graph(tokens: 4, sequences: 1) }
  }
}
