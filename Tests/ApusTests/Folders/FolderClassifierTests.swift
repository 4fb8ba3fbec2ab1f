import TestSupport
import Testing

@testable import Apus

/// Image classifiers in folders are used like those in TFLite files.
@Suite struct FolderClassifierTests {
  @Test(arguments: [
    "vit", "deit", "deit-distilled", "mobilenetv2", "mobilenetv2-timm", "dinov2-classifier",
    "dinov2-registers-classifier", "resnet", "resnet-bottleneck", "resnet-timm", "beit", "beit-shared",
    "swin",
    "swin-window7",
    "mobilenetv3-timm", "mobilenetv3-timm-same", "efficientnet-timm", "efficientnet-timm-lite",
    "vit-timm", "vit-timm-clip", "deit-timm-distilled",
  ])
  func aFolderIsAClassifier(name: String) throws {
    let path = Checkout.modelFolder(name)
    let classifier = try ImageClassifier(path)
    let result = try classifier.blocking.classify(FolderFixture.picture, topK: 100)
    #expect(result.predictions.count == classifier.labels.count)
    #expect(abs(result.predictions.reduce(0) { $0 + $1.score } - 1) < 1e-5)
    #expect(classifier.loadTimes.total > .zero)
  }

  /// A picture in shades of grey, and a coloured one of which they are the red.
  private func shades(_ width: Int, _ height: Int, coloured: Bool = false) throws -> Picture {
    let values = (0..<height).flatMap { y in (0..<width).map { x in (x * 5 + y * 9 + x * y / 7) % 256 } }
    let pixels = values.flatMap { coloured ? [$0, 255 - $0, $0 * 3 % 256] : [$0, $0, $0] }
    return .pixels(try RGBImage(width: width, height: height, pixels: pixels.map { UInt8($0) }))
  }

  private func scores(_ model: String, _ picture: Picture) throws -> [Float] {
    let result = try ImageClassifier(model).blocking.classify(picture, topK: 3)
    return result.predictions.sorted { $0.index < $1.index }.map(\.score)
  }

  /// The numbers of transformers 5.23.0 with Pillow 13.0.0, the coloured picture converted to "L" before.
  @Test func aClassifierOfGreyPictures() throws {
    let model = Checkout.modelFolder("vit-grey")
    expectClose(try scores(model, shades(40, 30)), [0.76668626, 0.05667281, 0.17664096])
    expectClose(try scores(model, shades(40, 30, coloured: true)), [0.853731, 0.024649443, 0.12161959])
  }

  @Test func aClassifierThatDoesNotResize() throws {
    let folder = try TemporaryFolder()
    for name in ["config.json", "model.safetensors"] {
      try folder.write(name, FileBytes.read(Checkout.modelFolder("vit-grey") + "/" + name))
    }
    try folder.write(
      "preprocessor_config.json",
      #"{"image_processor_type": "ViTImageProcessor", "do_resize": false, "image_mean": [0.5], "image_std": [0.5]}"#
    )
    expectClose(try scores(folder.path, shades(24, 24)), [0.96568006, 0.0146988, 0.019621095])
    let error = #expect(throws: ApusError.self) { try scores(folder.path, shades(40, 30)) }
    #expect(error?.kind == .image)
  }

  @Test func aFolderMayBeTheFallbackOfAFile() throws {
    var options = ImageClassifier.Options()
    options.fallbacks = [Checkout.modelFolder("vit")]
    let classifier = try ImageClassifier("missing.tflite", options: options)
    #expect(classifier.refused.map(\.path) == ["missing.tflite"])
    #expect(classifier.path.hasSuffix("vit"))
  }

  @Test func aModelOfTextsIsRefused() throws {
    let path = Checkout.modelFolder("bert-classifier")
    #expect { try ImageClassifier(path) } throws: {
      ($0 as? ApusError)?.kind == .unsupportedModel
    }
  }
}
