import Foundation
import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Every architecture in a small form with random weights gives PyTorch's numbers.
struct ArchitectureTests {
  /// The names in the first files of BERT.
  @Test func normalisationMayBeNamedGammaAndBeta() throws {
    let fixture = try ModelFixture("bert-sentence")
    let folder = try TemporaryFolder(copying: fixture.folder.path)
    let path = "\(folder.path)/model.safetensors"
    var file = try Data(contentsOf: URL(fileURLWithPath: path))
    for (name, older) in [("weight\"", "gamma\" "), ("bias\"", "beta\"")] {
      while let range = file.range(of: Data("LayerNorm.\(name)".utf8)) {
        file.replaceSubrange(range, with: Data("LayerNorm.\(older)".utf8))
      }
    }
    try file.write(to: URL(fileURLWithPath: path))
    let (found, usual) = try (
      #require(ModelArchitecture.load(ModelFolder(folder.path)).text),
      #require(ModelArchitecture.load(fixture.folder).text)
    )
    let ids = try fixture.ids()
    #expect(try ModelFixture.run(found, ids) == ModelFixture.run(usual, ids))
  }

  @Test(arguments: ["vit", "clip", "open-clip", "bert-sentence"])
  func anAdapterBesideTheWeightsIsRefused(_ name: String) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    try folder.write("adapter_config.json", #"{"peft_type": "LORA", "r": 4}"#)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(ModelFolder(folder.path)) }
    #expect(error.kind == .unsupportedModel && error.file == folder.path + "/adapter_config.json")
    #expect(error.advice?.contains("merge_and_unload") == true)
  }

  @Test(arguments: [
    "vit", "vit-grey", "deit", "deit-distilled", "mobilenetv2", "mobilenetv2-timm", "mobilenetv2-torchvision",
    "convnext", "dinov2-classifier", "dinov2-registers-classifier", "resnet", "resnet-bottleneck",
    "resnet-early", "resnet-timm", "resnet-timm-deep", "resnet-timm-deep-bottleneck", "beit", "beit-shared",
    "beit-both", "swin", "swin-absolute", "swin-window7",
    "mobilenetv3-timm", "mobilenetv3-timm-large", "mobilenetv3-timm-deep", "mobilenetv3-timm-same",
    "mobilenetv3-timm-minimal", "efficientnet-timm", "efficientnet-timm-same", "efficientnet-timm-lite",
    "vit-timm", "vit-timm-clip", "vit-timm-registers", "vit-timm-gap", "vit-timm-mean", "vit-timm-gated",
    "vit-timm-dynamic", "deit-timm-distilled",
  ])
  func imageClassifiersGiveTheLogitsOfPyTorch(_ name: String) throws {
    let fixture = try ModelFixture(name)
    for picture in try fixture.pictures() {
      let model = try ModelArchitecture.load(fixture.folder, imageSize: picture.size)
      guard case .classifier = model.outputs, let tower = model.image else {
        throw ApusError(.unsupportedModel, "no image classifier")
      }
      #expect(tower.imageSize == picture.size)
      #expect(tower.channels == picture.channels)
      expectClose(
        try ModelFixture.run(tower, picture), try picture.numbers("logits"), "\(name) \(picture.size)")
    }
  }

  @Test(arguments: ["clip", "clip-gelu", "open-clip", "open-clip-custom-text", "siglip", "siglip2"])
  func dualEncodersGiveTheEmbeddingsOfPyTorch(_ name: String) throws {
    let fixture = try ModelFixture(name)
    for picture in try fixture.pictures() {
      let model = try ModelArchitecture.load(fixture.folder, imageSize: picture.size)
      guard case .dualEncoder(let comparison) = model.outputs, let image = model.image, let text = model.text
      else { throw ApusError(.unsupportedModel, "no dual encoder") }
      let images = try ModelFixture.run(image, picture)
      expectClose(images, try picture.numbers("embeddings"), "\(name) \(picture.size)")
      let ids = try fixture.ids(text.paddedLength == nil ? "ids" : "padded_ids")
      let texts = try ModelFixture.run(text, ids)
      expectClose(texts, try fixture.numbers("text_embeddings"), "\(name) texts")
      expectClose(
        logits(images, texts, image.outputWidth, comparison), try picture.numbers("logits"),
        "\(name) \(picture.size) logits")
    }
  }

  @Test(arguments: [
    ("clip-vision", false), ("clip-vision-projection", true), ("siglip-vision", true), ("dinov2", false),
    ("dinov2-swiglu", false), ("dinov2-registers", false),
  ])
  func towersForPicturesGiveTheEmbeddingsOfPyTorch(_ name: String, _ normalizes: Bool) throws {
    let fixture = try ModelFixture(name)
    for picture in try fixture.pictures() {
      let model = try ModelArchitecture.load(fixture.folder, imageSize: picture.size)
      guard case .encoder(normalizes: normalizes) = model.outputs else {
        throw ApusError(.unsupportedModel, "no encoder")
      }
      #expect(model.text == nil)
      let found = try ModelFixture.run(#require(model.image), picture)
      expectClose(found, try picture.numbers("embeddings"), "\(name) \(picture.size)")
    }
  }

  @Test(arguments: [("clip-text", false), ("clip-text-projection", true), ("siglip-text", true)])
  func towersForTextsGiveTheEmbeddingsOfPyTorch(_ name: String, _ normalizes: Bool) throws {
    let fixture = try ModelFixture(name)
    let model = try ModelArchitecture.load(fixture.folder)
    guard case .encoder(normalizes: normalizes) = model.outputs, let tower = model.text else {
      throw ApusError(.unsupportedModel, "no encoder")
    }
    #expect(model.image == nil)
    let ids = try fixture.ids(tower.paddedLength == nil ? "ids" : "padded_ids")
    expectClose(try ModelFixture.run(tower, ids), try fixture.numbers("text_embeddings"), name)
  }

  private func logits(_ images: [Float], _ texts: [Float], _ width: Int, _ comparison: DualEncoder) -> [Float]
  {
    let rows = { (numbers: [Float]) in
      stride(from: 0, to: numbers.count, by: width).map { start -> [Float] in
        let row = numbers[start..<start + width]
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / length }
      }
    }
    return rows(images).flatMap { image in
      rows(texts).map { text in
        zip(image, text).reduce(0) { $0 + $1.0 * $1.1 } * comparison.scale + comparison.bias
      }
    }
  }

  @Test(arguments: [
    "bert-classifier", "bert-int4", "distilbert-classifier", "distilbert-int8", "roberta-classifier",
    "xlm-roberta-classifier", "mpnet-classifier", "electra-classifier", "albert-classifier",
    "modernbert-classifier", "modernbert-reranker", "deberta-classifier", "deberta-convolution",
    "qwen3-classifier", "qwen3-reranker", "gte-reranker", "camembert-classifier",
  ])
  func textClassifiersGiveTheLogitsOfPyTorch(_ name: String) throws {
    let fixture = try ModelFixture(name)
    let model = try ModelArchitecture.load(fixture.folder)
    guard case .classifier(let labels, _) = model.outputs, let tower = model.text else {
      throw ApusError(.unsupportedModel, "no text classifier")
    }
    #expect(labels?.count == tower.outputWidth)
    expectClose(
      try ModelFixture.run(tower, fixture.ids()), try fixture.numbers("logits"), "\(name)")
  }

  @Test(arguments: [
    ("bert-sentence", true, 32), ("bert-sentence-cls", false, 32), ("mpnet", true, 192),
    ("electra", true, 32),
    ("albert", true, 32), ("modernbert", true, 448), ("modernbert-cls", false, 448),
    ("deberta", true, 192), ("deberta-c2p", true, 64), ("deberta-absolute", true, 48),
  ])
  func sentenceEncodersGiveThePooledFeaturesOfPyTorch(
    _ name: String, _ normalizes: Bool, _ limit: Int
  ) throws {
    let fixture = try ModelFixture(name)
    let model = try ModelArchitecture.load(fixture.folder)
    guard case .encoder(let isNormalized) = model.outputs, let tower = model.text else {
      throw ApusError(.unsupportedModel, "no text encoder")
    }
    #expect(isNormalized == normalizes)
    #expect(model.textPreparation.maximumTokens == limit)
    expectClose(
      try ModelFixture.run(tower, fixture.ids()), try fixture.numbers("embeddings"), "\(name)")
  }

  /// Gaps but for MPNet, DeBERTa and ModernBERT's windows, and padding at the left where no head looks at the first column;
  /// SigLIP's last token stands for a text though it is left out.
  @Test(arguments: [
    "bert-classifier", "distilbert-classifier", "roberta-classifier", "bert-sentence", "clip-text",
    "clip-text-projection", "mpnet", "electra", "albert", "modernbert", "modernbert-reranker", "deberta",
    "siglip", "siglip2", "siglip-text",
  ])
  func tokensLeftOutByAMaskAreThoseOfPyTorch(_ name: String) throws {
    let fixture = try ModelFixture(name, "masked.json")
    let tower = try #require(try ModelArchitecture.load(fixture.folder).text)
    let rows = zip(try fixture.ids(), try fixture.ids("masks")).map { TokenRow($0, marks: $1) }
    expectClose(try ModelFixture.run(tower, rows), try fixture.numbers("rows"), name)
  }

  @Test(arguments: ["clip", "clip-gelu", "open-clip"])
  func tokensBehindTheEndOfATextMakeNoDifference(_ name: String) throws {
    let fixture = try ModelFixture(name)
    let tower = try #require(try ModelArchitecture.load(fixture.folder).text)
    let ids = try fixture.ids()
    for filler: Int32 in [0, 1, try #require(ids[0].last)] {
      let padded = ids.map { $0 + [Int32](repeating: filler, count: tower.maximumTokens - $0.count) }
      let (plain, filled) = (try tower.inputs(ids), try tower.inputs(padded))
      for (a, b) in zip(plain, filled) {
        #expect(try a.elements(of: Int32.self) == b.elements(of: Int32.self))
      }
    }
  }

  @Test(arguments: [
    "clip", "bert-classifier", "roberta-classifier", "bert-sentence", "mpnet", "mpnet-classifier", "electra",
    "electra-classifier", "albert", "albert-classifier", "modernbert", "modernbert-cls",
    "deberta", "deberta-classifier", "deberta-convolution", "deberta-c2p", "deberta-absolute",
    "modernbert-classifier", "modernbert-reranker", "qwen3-embedding", "qwen3", "qwen3-classifier",
    "qwen3-reranker",
  ])
  func textsDoNotSeeTheirNeighbours(_ name: String) throws {
    let fixture = try ModelFixture(name)
    let tower = try #require(try ModelArchitecture.load(fixture.folder).text)
    let ids = try fixture.ids()
    let together = try ModelFixture.run(tower, ids)
    let alone = try ids.flatMap { try ModelFixture.run(tower, [$0]) }
    expectClose(together, alone, tolerance: 1e-6, name)
  }

  @Test
  func scoringFollowsTheProblemType() throws {
    let scoring = try ["bert-classifier", "roberta-classifier", "xlm-roberta-classifier"].map { name in
      guard case .classifier(_, let scoring) = try ModelArchitecture.load(ModelFixture(name).folder).outputs
      else { return ClassScoring?.none }
      return scoring
    }
    #expect(scoring == [.softmax, .sigmoid, ClassScoring.none])
  }

  /// OpenCLIP's files of a model beside those of transformers, as laion's repositories have them.
  @Test func filesOfOneLibraryAreReadTogether() throws {
    let openCLIP = try ModelFixture("open-clip").folder.path
    let folder = try TemporaryFolder(copying: ModelFixture("clip").folder.path)
    func scoring() throws -> DualEncoder.Scoring? {
      guard case .dualEncoder(let found) = try ModelArchitecture.load(ModelFolder(folder.path)).outputs else {
        return nil
      }
      return found.scoring
    }
    for name in ["open_clip_config.json", "open_clip_model.safetensors"] {
      try folder.write(name, FileBytes.read("\(openCLIP)/\(name)", limit: 1 << 20))
      #expect(try ModelFolder(folder.path).weights().names.contains("visual_projection.weight"))
      #expect(try ModelArchitecture.load(ModelFolder(folder.path)).image?.graph(batch: 1) != nil)
    }
    #expect(try !ModelFolder(folder.path).isOpenCLIP())
    try folder.write("config.json", "{}")
    #expect(try ModelFolder(folder.path).weights().names.contains("visual.proj"))
    #expect(try ModelArchitecture.load(ModelFolder(folder.path)).image?.graph(batch: 1) != nil)
  }

  /// transformers' CLIP has no bias, whatever lies among the weights.
  @Test func aBiasIsOpenCLIPsAlone() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("clip").folder.path)
    let names = try ModelFolder(folder.path).weights().names
    try folder.write("base.safetensors", FileBytes.read("\(folder.path)/model.safetensors", limit: 1 << 20))
    try FileManager.default.removeItem(atPath: "\(folder.path)/model.safetensors")
    try folder.write(
      "bias.safetensors",
      SafetensorsBuilder.file([("logit_bias", "F32", [], SafetensorsBuilder.bytes([-3]))]))
    let entries = names.map { "\"\($0)\": \"base.safetensors\"" } + [#""logit_bias": "bias.safetensors""#]
    try folder.write(
      "model.safetensors.index.json", "{\"weight_map\": {\(entries.joined(separator: ", "))}}")
    guard case .dualEncoder(let found) = try ModelArchitecture.load(ModelFolder(folder.path)).outputs else {
      throw ApusError(.unsupportedModel, "no dual encoder")
    }
    #expect(found.scoring == .softmax && found.bias == 0)
  }

  @Test func aTowerOfSigLIPThatIsNotDescribedIsTheUsualOne() throws {
    let text = #"{"hidden_size": 24, "layer_norm_eps": 0.5, "text_config": {"projection_size": 768}}"#
    let reader = try ConfigurationReader(Array(text.utf8), file: "config.json")
    let configuration = try SigLIPConfiguration(reader, imageSize: nil)
    #expect(configuration.image.encoder.width == 768 && configuration.image.encoder.epsilon == 1e-6)
    #expect(throws: ApusError.self) { try reader.requireAllRead() }
    let tower = try ConfigurationReader(
      Array(#"{"hidden_size": 24, "num_attention_heads": 2}"#.utf8), file: "")
    #expect(try SigLIPConfiguration.Image(tower, imageSize: nil).encoder.width == 24)
  }
}
