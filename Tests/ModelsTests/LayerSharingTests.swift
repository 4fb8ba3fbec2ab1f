import Formats
import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Layers of ALBERT that share weights run in transformers' order, and their weights are packed once.
struct LayerSharingTests {
  /// The groups that transformers takes, whose quotients are floats: turn 9 of 18 is group 6 of 14, though 9 · 14 / 18 is 7.
  @Test(arguments: [
    (12, 1, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), (3, 2, [0, 0, 1]), (2, 3, [0, 1]),
    (12, 5, [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4]),
    (18, 14, [0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 10, 10, 11, 12, 13]),
  ])
  func turnsGoThroughTheGroups(_ turns: Int, _ groups: Int, _ expected: [Int]) throws {
    let found = try places("{\"num_hidden_groups\": \(groups)}", turns: turns)
    #expect(found == expected.map { "\($0).albert_layers.0" })
  }

  @Test func aGroupsLayersFollowOneAnother() throws {
    let found = try places(#"{"num_hidden_groups": 2, "inner_group_num": 2}"#, turns: 3)
    #expect(
      found == [
        "0.albert_layers.0", "0.albert_layers.1", "0.albert_layers.0", "0.albert_layers.1",
        "1.albert_layers.0", "1.albert_layers.1",
      ])
  }

  /// The places of the layers' weights in a file.
  private func places(_ text: String, turns: Int) throws -> [String] {
    let reader = try ConfigurationReader(Array(text.utf8), file: "config.json")
    let bytes = SafetensorsBuilder.file([("x", "U8", [1], [7])])
    let file = try SafetensorsFile(bytes, named: "model.safetensors")
    let sharing = try LayerSharing(reader, turns: turns)
    return sharing.layers(WeightPath(SafetensorsCollection(file))).map(\.prefix)
  }

  /// Four times as many layers of the same weights take no byte more.
  @Test(arguments: ["albert", "albert-classifier"], Precision.allCases.filter(\.isAvailable))
  func sharedWeightsArePackedOnce(_ name: String, _ precision: Precision) throws {
    let few = try packedBytes(name, turns: 3, precision)
    let many = try packedBytes(name, turns: 12, precision)
    #expect(few.layers * 4 == many.layers)
    #expect(few.bytes > 0 && few.bytes == many.bytes)
  }

  /// Nor do two turns more than one of which the first token alone counts, whose queries are made apart: the last turn takes
  /// the matrix that the first has packed.
  @Test(arguments: Precision.allCases.filter(\.isAvailable))
  func theLastTurnPacksNothing(_ precision: Precision) throws {
    let one = try packedBytes("albert-classifier", turns: 1, precision)
    let two = try packedBytes("albert-classifier", turns: 2, precision)
    #expect(one.layers == 1 && two.layers == 2)
    #expect(two.bytes > 0 && two.bytes <= one.bytes)
  }

  /// A stack without layers gives the kept rows too.
  @Test func keptRowsWithoutLayers() throws {
    var graph = GraphBuilder()
    let x = graph.input("x", TensorType(.float32, try Shape([5, 8])))
    let kept = try graph.indices([0, 3], at: "kept")
    let segments = Segments(count: 2, bounds: try graph.indices([0, 3, 5], at: "bounds"))
    let encoder = Encoder([])
    let (few, all) = try (
      encoder(x, segments, keeping: kept, in: &graph), encoder(x, segments, in: &graph)
    )
    #expect(graph.dimensions(few) == [2, 8] && graph.dimensions(all) == [5, 8])
  }

  /// Layers that attend, and the bytes of all packed weights.
  private func packedBytes(
    _ name: String, turns: Int, _ precision: Precision
  ) throws -> (layers: Int, bytes: Int) {
    let folder = try TemporaryFolder(copying: ModelFixture(name).folder.path)
    let text = try String(contentsOfFile: "\(folder.path)/config.json", encoding: .utf8)
    let key = #""num_hidden_layers": "#
    #expect(text.contains(key + "3"))
    try folder.write("config.json", text.replacing(key + "3", with: key + "\(turns)"))
    let tower = try #require(try ModelArchitecture.load(ModelFolder(folder.path)).text)
    let graph = try tower.graph(tokens: 5, sequences: 1)
    let store = PackedWeightStore()
    var options = CompileOptions()
    options.precision = precision
    options.packedWeights = store
    _ = try Compiler.compile(graph, options)
    return (graph.nodes.count { $0.operation is Attention }, store.byteCount)
  }
}
