import TensorCore
import TestSupport
import Testing

@testable import Apus

/// A model whose towers are in two folders gives what the one with both gives.
@Suite struct TwoFolderTests {
  private let picture = FolderFixture.picture
  private let labels = ["a cat", "a dog", "leaf blast on rice"]

  private func refusal(
    _ model: String, _ options: ZeroShotClassifier.Options
  ) throws -> ApusError {
    let error = #expect(throws: ApusError.self) { try ZeroShotClassifier(model, options: options) }
    return try #require(error)
  }

  private func predictions(
    _ classifier: ZeroShotClassifier, scale: Float? = nil
  ) throws -> [LabelScore] {
    try classifier.blocking.classify(picture, labels: labels, reading: .init(logitScale: scale)).predictions
  }

  @Test(arguments: ["clip", "siglip"])
  func theNumbersOfTheWholeModelCanBeGiven(_ name: String) throws {
    let whole = try ZeroShotClassifier(Checkout.modelFolder(name))
    let towers = try SplitTowers(name)
    let options = ZeroShotClassifier.Options(
      textModel: towers.texts.path, logitScale: whole.scaling.scale, logitBias: whole.scaling.bias)
    let split = try ZeroShotClassifier(towers.pictures.path, options: options)
    #expect(split.path == towers.pictures.path && split.textPath == towers.texts.path)
    #expect(whole.textPath == whole.path)
    #expect(split.notes.isEmpty && split.scoring == whole.scoring && split.width == whole.width)
    let expected = try predictions(whole)
    let found = try predictions(split)
    #expect(found == expected)
    let embedded = try whole.blocking.embed(labels: labels, templates: ["a photo of {}"])
    let others = try split.blocking.embed(labels: labels, templates: ["a photo of {}"])
    #expect(embedded == others)
  }

  /// Of two folders a variant is that of those which have ONNX files.
  @Test func aVariantOfEitherFolder() throws {
    let towers = try SplitTowers("clip")
    let usual = try ZeroShotClassifier(
      towers.pictures.path, options: .init(textModel: towers.texts.path, logitScale: 10))
    for (folder, file) in [(towers.texts, "text_model"), (towers.pictures, "vision_model")] {
      var options = ZeroShotClassifier.Options(textModel: towers.texts.path, logitScale: 10)
      options.inference.variant = "fp32"
      // Neither of them has any at first.
      if file == "text_model" { #expect(try refusal(towers.pictures.path, options).kind == .argument) }
      try folder.write(
        "onnx/\(file).onnx", FileBytes.read(Checkout.fixture("onnx-folders/clip/onnx/\(file).onnx").path))
      let found = try predictions(ZeroShotClassifier(towers.pictures.path, options: options))
      expectClose(found.map(\.score), try predictions(usual).map(\.score))
      // Where the only one that has them lacks the variant, it is named.
      options.inference.variant = "int8"
      #expect(try refusal(towers.pictures.path, options).kind == .argument)
    }
  }

  /// Where the weights of a tower were cut from the whole model's, they may be there.
  @Test(arguments: ["clip", "siglip"])
  func theyCountWhereTheyStandBesideATower(_ name: String) throws {
    let whole = try ZeroShotClassifier(Checkout.modelFolder(name))
    let towers = try SplitTowers(name, keeping: ["logit_scale", "logit_bias"])
    let options = ZeroShotClassifier.Options(textModel: towers.texts.path)
    let split = try ZeroShotClassifier(towers.pictures.path, options: options)
    #expect(split.notes.isEmpty)
    let expected = try predictions(whole)
    let found = try predictions(split)
    #expect(found == expected)
  }

  @Test func ofACLIPTheUsualScaleIsTakenAndSaid() throws {
    let whole = try ZeroShotClassifier(Checkout.modelFolder("clip"))
    let towers = try SplitTowers("clip")
    let options = ZeroShotClassifier.Options(textModel: towers.texts.path)
    let split = try ZeroShotClassifier(towers.pictures.path, options: options)
    let note = try #require(split.notes.first)
    #expect(split.notes.count == 1)
    #expect(
      note.contains("no logit_scale") && note.contains("by 100")
        && note.contains("the option logitScale says another"))
    #expect(split.scaling.scale == 100 && split.scoring == .softmax)
    let expected = try predictions(whole, scale: 100)
    let found = try predictions(split)
    #expect(found == expected)
  }

  @Test func aSigLIPNeedsThem() throws {
    let towers = try SplitTowers("siglip")
    let none = try refusal(towers.pictures.path, .init(textModel: towers.texts.path))
    #expect(none.kind == .argument)
    #expect(none.problem.hasSuffix("no logit_scale and no logit_bias"), "\(none)")
    let advice = try #require(none.advice)
    #expect(advice.contains("the option logitScale and the option logitBias"), "\(advice)")
    let scale = try refusal(towers.pictures.path, .init(textModel: towers.texts.path, logitScale: 10))
    #expect(scale.problem.hasSuffix("have no logit_bias"), "\(scale)")
    #expect(scale.advice?.contains("logitScale") == false, "\(scale)")
    let bias = try refusal(towers.pictures.path, .init(textModel: towers.texts.path, logitBias: -10))
    #expect(bias.problem.hasSuffix("have no logit_scale"), "\(bias)")
    #expect(bias.kind == .argument && bias.advice?.contains("logitBias") == false, "\(bias)")
  }

  @Test func twoScalesAreNotOfOneModel() throws {
    let towers = try SplitTowers("clip", keeping: ["logit_scale"])
    let other: SplitTowers.Tensor = ("logit_scale", "F32", [], SafetensorsBuilder.bytes([1]))
    let tensors = try SplitTowers.tensors(of: towers.pictures.path) + [other]
    try towers.pictures.write("model.safetensors", SafetensorsBuilder.file(tensors))
    let error = try refusal(towers.pictures.path, .init(textModel: towers.texts.path))
    #expect(error.kind == .argument && error.problem.hasPrefix("logit_scale is "), "\(error)")
  }

  /// What is no tower with a projection, by the folder that is at fault.
  @Test(arguments: [
    ("clip-vision-projection", "clip-text", false, "CLIPTextModelWithProjection"),
    ("clip-vision-projection", "bert-sentence", false, "SiglipTextModel"),
    ("clip-vision-projection", "clip", false, "CLIPTextModelWithProjection"),
    ("clip-vision", "clip-text-projection", true, "CLIPVisionModelWithProjection"),
    ("vit", "clip-text-projection", true, "SiglipVisionModel"),
  ])
  func whatIsNoTowerIsRefused(
    _ model: String, _ texts: String, _ isModel: Bool, _ expected: String
  ) throws {
    let (model, texts) = (Checkout.modelFolder(model), Checkout.modelFolder(texts))
    let error = try refusal(model, .init(textModel: texts, logitScale: 100, logitBias: 0))
    #expect(error.kind == .unsupportedModel && error.file == (isModel ? model : texts), "\(error)")
    #expect(error.expected?.contains(expected) == true, "\(error)")
  }

  /// A tower that is given twice, in one folder or two, is a matter of the call and not of the folder.
  @Test(arguments: [
    ("clip-vision-projection", "clip-vision-projection", "pictures", "texts"),
    ("clip-vision-projection", "siglip-vision", "pictures", "texts"),
    ("clip-text-projection", "clip-text-projection", "texts", "pictures"),
    ("siglip-text", "clip-text-projection", "texts", "pictures"),
  ])
  func aTowerThatIsGivenTwiceIsRefused(
    _ model: String, _ texts: String, _ found: String, _ wanted: String
  ) throws {
    let (model, texts) = (Checkout.modelFolder(model), Checkout.modelFolder(texts))
    let error = try refusal(model, .init(textModel: texts, logitScale: 100, logitBias: 0))
    #expect(error.kind == .argument && error.problem == "the tower for \(found) is given twice", "\(error)")
    #expect(error.file == (wanted == "texts" ? texts : model), "\(error)")
    #expect(error.expected == "that for \(wanted)", "\(error)")
    let setting = wanted == "texts" ? "the option textModel" : "the model"
    #expect(error.advice?.hasSuffix(" as \(setting).") == true, "\(error)")
  }

  @Test func aModelWithBothTowersTakesNoOther() throws {
    let path = Checkout.modelFolder("clip")
    let error = try refusal(path, .init(textModel: Checkout.modelFolder("clip-text-projection")))
    #expect(error.kind == .argument && error.file == path)
    #expect(error.problem.contains("tower for texts of its own"), "\(error)")
  }

  @Test func towersOfTwoKindsOrWidthsAreRefused() throws {
    let texts = Checkout.modelFolder("siglip-text")
    let options = ZeroShotClassifier.Options(textModel: texts, logitScale: 10, logitBias: -10)
    let kind = try refusal(Checkout.modelFolder("clip-vision-projection"), options)
    #expect(kind.kind == .argument && kind.file == texts)
    #expect(kind.problem.contains("SigLIP") && kind.problem.contains("CLIP"), "\(kind)")
    // 24 numbers of a picture, 32 of a text.
    let width = try refusal(Checkout.modelFolder("siglip-vision"), options)
    #expect(width.kind == .argument && width.file == texts)
    #expect(width.problem == "embeddings of texts with 32 numbers", "\(width)")
    #expect(width.expected?.hasPrefix("24,") == true, "\(width)")
    let missing = try refusal(Checkout.modelFolder("siglip-vision"), .init(textModel: "/no-such-folder"))
    #expect(missing.kind == .file)
  }

  @Test(arguments: ["clip-vision-projection", "siglip-text"])
  func oneTowerAloneIsToldOfTheOther(_ name: String) throws {
    let error = try refusal(Checkout.modelFolder(name), .init())
    #expect(error.kind == .unsupportedModel)
    #expect(error.advice?.contains("the option textModel") == true, "\(error)")
  }

  @Test func aBiasIsANumber() throws {
    let error = try refusal(Checkout.modelFolder("clip"), .init(logitBias: .infinity))
    #expect(error.kind == .argument && error.problem.contains("the logit bias"))
    // Of a model with both towers it takes the place of its own.
    let plain = try ZeroShotClassifier(Checkout.modelFolder("siglip"))
    let other = try ZeroShotClassifier(Checkout.modelFolder("siglip"), options: .init(logitBias: 0))
    let embedding = Embedding([Float](repeating: 1, count: plain.width))
    let before = try plain.blocking.classify(embedding: embedding, labels: labels).predictions
    let after = try other.blocking.classify(embedding: embedding, labels: labels).predictions
    for (before, after) in zip(before, after) {
      #expect(abs(after.logit - (before.logit - plain.scaling.bias)) < 1e-4)
    }
  }

  @Test func bothFoldersAreOpenedInTheBackground() async throws {
    let towers = try SplitTowers("clip")
    let options = ZeroShotClassifier.Options(labels: labels, textModel: towers.texts.path, logitScale: 10)
    let classifier = try await ZeroShotClassifier.load(towers.pictures.path, options: options)
    let result = try await classifier.classify(picture)
    #expect(Set(result.predictions.map(\.label)) == Set(labels))
  }
}
