import Formats
import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Vision transformers by timm's names.
struct TimmViTTests {
  /// What `Tools/fixtures/timm/vision_transformers.py` found in the networks that the library makes.
  private struct Registry: Decodable {
    let designs: [String: Network]
  }

  private struct Network: Decodable, Equatable {
    let patch: Int
    let width: Int
    let layers: Int
    let heads: Int
    let expandedWidth: Int
    let activation: String
    let isGated: Bool
    let epsilon: Float
    let hasProjectionBias: Bool
    let scalesLayers: Bool
    let hasClassToken: Bool
    let hasDistillationToken: Bool
    let registers: Int
    let placesPrefix: Bool
    let normalizesTokens: Bool
    let pooling: String
    let normalizesPooled: Bool
    let takesAnyExtent: Bool
  }

  private static func network(_ options: TimmViTOptions) -> Network {
    Network(
      patch: options.patch, width: options.width, layers: options.layers, heads: options.heads,
      expandedWidth: options.expandedWidth, activation: activation(options.activation),
      isGated: options.isGated, epsilon: options.epsilon,
      hasProjectionBias: options.hasProjectionBias, scalesLayers: options.scalesLayers,
      hasClassToken: options.hasClassToken, hasDistillationToken: options.hasDistillationToken,
      registers: options.registers, placesPrefix: options.placesPrefix,
      normalizesTokens: options.normalizesTokens, pooling: options.pooling.rawValue,
      normalizesPooled: options.normalizesPooled, takesAnyExtent: options.takesAnyExtent)
  }

  private static func activation(_ activation: Activation) -> String {
    switch activation {
    case .gelu(.exact): "gelu"
    case .gelu(.tanh): "gelu_tanh"
    case .gelu(.sigmoid): "quick_gelu"
    case .swish: "silu"
    default: "\(activation)"
    }
  }

  @Test func designsAreThoseOfTheLibrary() throws {
    let file = try Data(contentsOf: Checkout.fixture("timm/vision-transformers.json"))
    let registry = try JSONDecoder().decode(Registry.self, from: file).designs
    let names = TimmViTDesign.all.flatMap(\.names)
    #expect(Set(names).count == names.count)
    #expect(Set(names) == Set(registry.keys))
    for name in names {
      let design = try #require(TimmViTDesign.named(name))
      let found = Self.network(design.options)
      #expect(found == registry[name], "\(name)")
    }
  }

  @Test func namesAreWrittenTogether() throws {
    let design = try #require(TimmViTDesign.all.first { $0.pattern == "vit_base_patch16_{224,384}" })
    #expect(design.names == ["vit_base_patch16_224", "vit_base_patch16_384"])
    #expect(TimmViTDesign.named("vit_base_patch16_{224,384}") == nil)
    let families = ["deit3_base_patch16_224", "vit_base_patch14_dinov2", "vit_base_patch14_reg4_dinov2"].map {
      TimmViTDesign.named($0)?.family
    }
    #expect(families == ["DeiT", "DINOv2", "DINOv2 with registers"])
  }

  /// A file whose positions are of another number than its pictures have patches is a square of them, which the library
  /// interpolates when it reads the file.
  @Test func positionsOfOtherPicturesAreASquare() throws {
    let fixture = try ModelFixture("vit-timm")
    let size = ImageSize(height: 48, width: 48)
    let expected = try #require(try ModelArchitecture.load(fixture.folder, imageSize: size).image)
    let folder = try TemporaryFolder(copying: fixture.folder.path)
    try folder.write(
      "config.json",
      #"""
      {"architecture": "vit_base_patch16_224", "num_classes": 5,
       "model_args": {"embed_dim": 24, "depth": 2, "num_heads": 3, "mlp_ratio": 2.5, "patch_size": 8},
       "pretrained_cfg": {"input_size": [3, 48, 48], "fixed_input_size": true}}
      """#)
    let found = try #require(try ModelArchitecture.load(ModelFolder(folder.path)).image)
    #expect(found.imageSize == size)
    let (positions, others) = try (Self.positions(of: found), Self.positions(of: expected))
    #expect(positions.count == 37 * 24)
    #expect(positions == others)
  }

  /// What is added to the tokens, where that was interpolated.
  private static func positions(of tower: any ImageTower) throws -> [Float] {
    let graph = try tower.graph(batch: 1)
    let value = try #require(graph.values.first { $0.name == "interpolated positions" })
    return try #require(value.constant).elements()
  }

  @Test func networksForAnyExtentTakeWholePatches() throws {
    let folder = try ModelFixture("vit-timm-dynamic").folder
    let size = ImageSize(height: 48, width: 44)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(folder, imageSize: size) }
    #expect(error.kind == .configuration)
    #expect("\(error)".contains("multiples of 8"), "\(error)")
  }

  /// Tensors that are there by another name: parts that the last layer has not, and a layer behind a gap.
  @Test(arguments: [
    ("blocks.1.attn.qkv.bias", "blocks.1.attn.norm.bia", "none, as vit_base_patch16_224 has it"),
    ("blocks.1.mlp.fc2.bias", "blocks.7.mlp.fc2.bias", "is of layer 7"),
  ])
  func eachLayerHasItsTensorsAlone(_ old: String, _ new: String, _ says: String) throws {
    let folder = try TemporaryFolder(copying: ModelFixture("vit-timm").folder.path)
    let name = "model.safetensors"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    let range = try #require(bytes.range(of: Data("\"\(old)\"".utf8)))
    bytes.replaceSubrange(range, with: Data("\"\(new)\"".utf8))
    try folder.write(name, bytes)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(ModelFolder(folder.path)) }
    #expect(error.kind == .malformedModel)
    #expect("\(error)".contains(says), "\(error)")
  }

  @Test func weightsWithoutLayersLackATensor() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("resnet-timm").folder.path)
    try folder.write(
      "config.json",
      #"{"architecture": "vit_base_patch16_224", "pretrained_cfg": {"input_size": [3, 224, 224]}}"#)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(ModelFolder(folder.path)) }
    #expect(error.kind == .malformedModel)
    #expect("\(error)".contains("tensor 'blocks.0.norm1.weight'"), "\(error)")
  }

  @Test func positionsOfThePicturesAreTakenAsTheyAre() throws {
    for name in ["vit-timm", "vit-timm-clip", "vit-timm-gap"] {
      let graph = try #require(try ModelArchitecture.load(ModelFixture(name).folder).image).graph(batch: 1)
      let interpolated = graph.values.filter { $0.name == "interpolated positions" }
      #expect(interpolated.isEmpty)
    }
  }

  /// Two positions above one another brought to three beside one another: all are the mean, as shares of both are equal.
  @Test func gridsNeedNotBeSquares() {
    let old = PositionGrid.Extent(rows: 2, columns: 1)
    let new = PositionGrid.Extent(rows: 1, columns: 3)
    let found = PositionGrid.interpolate(
      [9, 1, 3], width: 1, prefix: 1, from: old, to: new, by: .antialiased)
    #expect(found.count == 4 && found.first == 9)
    for number in found.dropFirst() { #expect(abs(number - 2) < 1e-6) }
  }

  /// Of a classified token the last layer computes no other row, of several all.
  @Test(arguments: [("vit-timm", 1), ("vit-timm-gated", 1), ("vit-timm-mean", 0), ("deit-timm-distilled", 0)])
  func onlyReadRowsAreComputed(_ name: String, _ count: Int) throws {
    let graph = try #require(try ModelArchitecture.load(ModelFixture(name).folder).image).graph(batch: 3)
    let kept = graph.values.filter { $0.name == "blocks.1.kept rows" }
    #expect(kept.count == count)
  }
}
