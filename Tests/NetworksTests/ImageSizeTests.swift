import Formats
import Networks
import TensorCore
import TestSupport
import Testing

/// A network that takes pictures of any extent gets them as its image processor makes them, as in transformers.
struct ImageSizeTests {
  @Test(arguments: [(32, [32, 32]), (45, [45, 45]), (384, [384, 384])])
  func theProcessorDecides(_ side: Int, _ size: [Int]) throws {
    let scratch = try TemporaryFolder()
    let fixture = Checkout.modelFolder("convnext")
    for name in ["config.json", "model.safetensors", "preprocessor_config.json"] {
      var bytes = try FileBytes.read("\(fixture)/\(name)", limit: 1 << 20)
      if name == "preprocessor_config.json" {
        let stated = String(decoding: bytes, as: UTF8.self)
        bytes = Array(stated.replacing(#""shortest_edge": 32"#, with: #""shortest_edge": \#(side)"#).utf8)
      }
      _ = try scratch.write(name, bytes)
    }
    let model = try OpenedModel(scratch.path)
    let input = try #require(try model.network(for: .image)?.inputTypes().first)
    #expect(Array(input.shape.dimensions[1...2]) == size)
    #expect(try model.preparation.pictures(for: input).preprocessor.size.height == side)
  }

  /// config.json of a ResNet says no extent; those of timm, BEiT and Swin do.
  @Test(arguments: [
    ("resnet", 40), ("resnet-early", 40), ("resnet-timm", 40), ("beit", 40), ("swin", 64),
    ("efficientnet-timm", 40), ("vit-timm", 40), ("vit-timm-dynamic", 40),
  ])
  func classifiersGetPicturesOfTheSizeThatIsMade(_ name: String, _ side: Int) throws {
    let model = try OpenedModel(Checkout.modelFolder(name))
    let input = try #require(try model.network(for: .image)?.inputTypes().first)
    #expect(Array(input.shape.dimensions[1...2]) == [side, side])
    #expect(try model.preparation.pictures(for: input).preprocessor.size.height == side)
  }

  /// Published folders of DINOv2 store positions for 518 pixels, and have pictures cut to 224.
  @Test(arguments: ["dinov2", "dinov2-registers-classifier"])
  func positionsAreThoseOfThePicturesThatAreMade(_ name: String) throws {
    let model = try OpenedModel(Checkout.modelFolder(name))
    let input = try #require(try model.network(for: .image)?.inputTypes().first)
    #expect(input.shape.dimensions == [1, 24, 24, 3])
    #expect(try model.preparation.pictures(for: input).preprocessor.size.height == 24)
  }
}
