import Formats
import Foundation
import Graph
import Models
import TensorCore
import TestSupport

@testable import Quantizer

/// A small model folder of the fixtures, and what is made of it.
struct FolderSample {
  let folder: ModelFolder

  static let floatFolders = [
    "albert", "albert-classifier", "bert-classifier", "bert-sentence", "clip", "convnext", "deit-distilled",
    "dinov2-classifier",
    "dinov2-registers", "dinov2-swiglu", "distilbert-classifier",
    "deberta", "deberta-convolution", "electra", "electra-classifier", "modernbert-cls", "mobilenetv2",
    "mobilenetv2-timm", "mobilenetv2-torchvision", "mpnet",
    "mpnet-classifier", "open-clip",
    "open-clip-custom-text", "qwen3-classifier", "qwen3-embedding", "qwen3-reranker", "gte", "nomic",
    "gemma3-embedding", "roberta-classifier",
    "siglip", "siglip2", "vit",
    "beit", "beit-shared", "swin", "swin-absolute", "resnet", "resnet-bottleneck", "resnet-timm-deep",
    "mobilenetv3-timm", "mobilenetv3-timm-same", "efficientnet-timm", "efficientnet-timm-lite",
    "vit-timm", "vit-timm-clip", "vit-timm-registers", "vit-timm-gap", "vit-timm-mean",
  ]

  init(_ name: String) throws {
    folder = try ModelFolder(Checkout.modelFolder(name))
  }

  func quantized(
    _ target: QuantizationTarget, to output: String,
    _ change: (inout FolderQuantizer.Options) -> Void = { _ in }
  ) throws -> QuantizationReport {
    var options = FolderQuantizer.Options(target)
    change(&options)
    return try FolderQuantizer(folder, options).write(to: output)
  }

  /// The results of a model's networks for one picture and for a text of a few tokens.
  static func outputs(_ folder: ModelFolder, _ precision: Precision = .float32) throws -> [[Float]] {
    var options = CompileOptions()
    options.precision = precision
    let image = { (tower: any ImageTower) in
      var random = SeededRandom()
      let size = tower.imageSize
      let shape = try Shape([1, size.height, size.width, tower.channels])
      let pixels = try Tensor(random.floats(shape.elementCount, -2...2), shape: shape)
      return try run(Compiler.compile(tower.graph(batch: 1), options), [pixels])
    }
    let text = { (tower: any TextTower) in
      let ids = (0..<Int32(tower.paddedLength ?? 7)).map { 5 + $0 * 3 % 11 }
      let inputs = try tower.inputs([ids])
      let tokens = inputs.first?.shape.elementCount ?? 0
      return try run(Compiler.compile(tower.graph(tokens: tokens, sequences: 1), options), inputs)
    }
    let model = try ModelArchitecture.load(folder)
    return try [model.image.map(image), model.text.map(text)].compactMap(\.self)
  }

  private static func run(_ model: CompiledModel, _ inputs: [Tensor]) throws -> [Float] {
    let workspace = try model.makeWorkspace()
    try workspace.setInputs(inputs)
    try workspace.run()
    return try workspace.output(0).elements()
  }

  /// The signal-to-noise ratio of numbers in dB.
  static func decibels(_ found: [Float], _ expected: [Float]) -> Double {
    var error = SignalToNoise()
    for (found, expected) in zip(found, expected) { error.add(expected, became: found) }
    return error.decibels
  }
}
