import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// What the graph of a Swin is made of, and the pictures that it takes.
@Suite struct SwinTests {
  private func tower(_ name: String, height: Int? = nil, width: Int? = nil) throws -> any ImageTower {
    let size = height.map { ImageSize(height: $0, width: width ?? $0) }
    return try #require(try ModelArchitecture.load(ModelFixture(name).folder, imageSize: size).image)
  }

  /// Tokens move where windows do, once for each block that has others than the one before, and where squares become one.
  @Test(arguments: [("swin", 6), ("swin-window7", 3), ("swin-absolute", 6)])
  func tokensMoveWithTheirWindowsAlone(_ name: String, _ moves: Int) throws {
    let graph = try tower(name).graph(batch: 2)
    #expect(graph.nodes.count { $0.operation is Gather } == moves)
    #expect(!graph.nodes.contains { $0.operation is Concatenation || $0.operation is Pad })
  }

  /// Where windows have places without a token, attention alone is given rows of zeros.
  @Test func zerosFillUpWindowsAndPatches() throws {
    let graph = try tower("swin", height: 61, width: 90).graph(batch: 1)
    #expect(graph.nodes.contains { $0.operation is Concatenation })
    #expect(graph.nodes.count { $0.operation is Pad } == 1)
  }

  @Test func windowsHaveMasksByKind() throws {
    let graph = try tower("swin").graph(batch: 3)
    let attentions = graph.nodes.filter { $0.operation is Attention }
    let shapes = attentions.compactMap { node in node.inputs[5].map { graph[$0].type.shape.dimensions } }
    #expect(
      shapes == [
        [1, 2, 16, 16], [4, 2, 16, 16], [1, 3, 16, 16], [4, 3, 16, 16], [1, 3, 16, 16], [1, 4, 16, 16],
        [1, 4, 16, 16],
      ])
    let orders = attentions.compactMap { ($0.operation as? Attention)?.maskOrder }
    #expect(orders[1] == [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 2, 2, 3] && orders[3] == [0, 1, 2, 3])
  }

  /// Graphs of all batches have the same numbers.
  @Test func graphsShareTables() throws {
    let tower = try tower("swin")
    let storages = try [1, 3].map { batch in
      let graph = try tower.graph(batch: batch)
      let masks = graph.values.filter { $0.name.hasSuffix("by position") }.compactMap(\.constant)
      return masks.map { ObjectIdentifier($0.storage) }
    }
    #expect(storages[0].count == 7 && Set(storages[0]).count == 7)
    #expect(storages[0] == storages[1])
  }

  /// What a picture gives does not depend on those beside it.
  @Test(arguments: [(64, 64), (61, 90)]) func picturesDoNotSeeOneAnother(_ height: Int, _ width: Int) throws {
    let tower = try tower("swin", height: height, width: width)
    let count = height * width * 3
    var random = SeededRandom()
    let pixels = random.floats(2 * count, -2...2)
    let both = try run(tower, pixels, batch: 2)
    let first = try run(tower, Array(pixels[..<count]), batch: 1)
    let second = try run(tower, Array(pixels[count...]), batch: 1)
    expectClose(both, first + second)
  }

  private func run(_ tower: any ImageTower, _ pixels: [Float], batch: Int) throws -> [Float] {
    let size = tower.imageSize
    let input = try Tensor(pixels, shape: Shape([batch, size.height, size.width, tower.channels]))
    let workspace = try Compiler.compile(tower.graph(batch: batch)).makeWorkspace()
    try workspace.setInputs([input])
    try workspace.run()
    return try workspace.output(0).elements()
  }

  /// Weights of three stages, of which the configuration states two.
  @Test func stagesThatTheConfigurationHasNotAreRefused() throws {
    let folder = try TemporaryFolder(copying: ModelFixture("swin").folder.path)
    try folder.write(
      "config.json",
      #"""
      {"architectures": ["SwinForImageClassification"], "model_type": "swin", "image_size": 64, "patch_size": 4,
       "embed_dim": 6, "depths": [2, 3], "num_heads": [2, 3], "window_size": 4}
      """#)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(ModelFolder(folder.path)) }
    #expect(error.kind == .malformedModel && error.location == "tensor 'swin.encoder.layers.2'")
  }

  @Test func whoPreparesPicturesDecidesTheirExtentWithoutPositions() throws {
    let (free, bound) = (try tower("swin"), try tower("swin-absolute"))
    #expect(free.takesAnyImageSize && !bound.takesAnyImageSize)
  }

  @Test(arguments: [
    ("swin", 48, 64, "at least 49 pixels"), ("swin-absolute", 24, 25, "whole patches of 2 pixels"),
    ("swin", 4, 100_000, "at least 49 pixels"),
  ])
  func picturesThatDoNotFitAreRefused(_ name: String, _ height: Int, _ width: Int, _ says: String) throws {
    let folder = try ModelFixture(name).folder
    let size = ImageSize(height: height, width: width)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(folder, imageSize: size) }
    #expect(error.kind == .argument && error.expected?.contains(says) == true)
  }
}
