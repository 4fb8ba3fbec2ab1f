import Foundation
import Formats
import TensorCore
import TestSupport
import Testing

@testable import Models

/// A folder whose weights are a checkpoint of PyTorch is the model that it is with safetensors.
struct CheckpointFolderTests {
  /// A copy of a fixture whose weights are a checkpoint instead.
  private func folder(_ name: String, _ checkpoint: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    let weights = try ModelFolder(folder.path).weights()
    var tensors: [(name: String, type: String, shape: [Int], bytes: [UInt8])] = []
    for name in weights.names {
      let entry = try #require(weights[name])
      let bytes = try weights.tensor(name).withBytes { Array($0) }
      tensors.append((name, entry.type.rawValue, entry.shape, bytes))
    }
    for path in weights.paths { try FileManager.default.removeItem(atPath: path) }
    try folder.write(checkpoint, CheckpointBuilder.file(tensors))
    return folder
  }

  @Test(arguments: [
    ("bert-sentence", "pytorch_model.bin"), ("distilbert-classifier", "pytorch_model.bin"),
    ("roberta-classifier", "pytorch_model.bin"), ("albert-classifier", "model.pt"),
  ])
  func textsGiveTheSameNumbers(_ name: String, _ checkpoint: String) throws {
    let folder = try folder(name, checkpoint)
    try folder.write("training_args.bin", [0x50, 0x4B, 3, 4])
    let fixture = try ModelFixture(name)
    let (found, usual) = try (
      #require(ModelArchitecture.load(ModelFolder(folder.path)).text),
      #require(ModelArchitecture.load(fixture.folder).text)
    )
    let ids = try fixture.ids()
    #expect(try ModelFixture.run(found, ids) == ModelFixture.run(usual, ids))
  }

  @Test(arguments: [
    ("vit", "pytorch_model.bin"), ("resnet-timm", "pytorch_model.bin"), ("clip", "pytorch_model.bin"),
    ("open-clip", "open_clip_pytorch_model.bin"), ("mobilenetv2-torchvision", "mobilenet_v2-b0353104.pth"),
  ])
  func picturesHaveTheSameWeights(_ name: String, _ checkpoint: String) throws {
    let folder = try folder(name, checkpoint)
    let (found, usual) = try (
      #require(ModelArchitecture.load(ModelFolder(folder.path)).image),
      #require(ModelArchitecture.load(ModelFolder(Checkout.modelFolder(name))).image)
    )
    func constants(_ tower: any ImageTower) throws -> [[UInt8]] {
      try tower.graph(batch: 1).values.compactMap(\.constant).map { tensor in tensor.withBytes { Array($0) } }
    }
    let weights = try constants(found)
    #expect(weights.count > 10)
    #expect(try weights == constants(usual))
  }
}
