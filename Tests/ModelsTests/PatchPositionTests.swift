import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// What BEiT's attention adds by where two patches lie, in the order of the library's tables.
struct PatchPositionTests {
  /// transformers' `generate_relative_position_index` of windows of 2 × 3.
  @Test func rowsAreThoseOfTheLibrary() {
    let bias = PatchPositionBias(heads: 1, rows: 2, columns: 3)
    let expected = [
      [17, 15, 15, 15, 15, 15, 15], [16, 7, 6, 5, 2, 1, 0], [16, 8, 7, 6, 3, 2, 1], [16, 9, 8, 7, 4, 3, 2],
      [16, 12, 11, 10, 7, 6, 5], [16, 13, 12, 11, 8, 7, 6], [16, 14, 13, 12, 9, 8, 7],
    ]
    for query in 0..<7 {
      let found = (0..<7).map { bias.row(query: query, key: $0) }
      #expect(found == expected[query])
    }
  }

  /// Two tables of two heads, one of them in fewer bits.
  @Test func tablesAreAddedUpHeadByHead() throws {
    let own = (0..<8).map { Float($0) }
    let halves = Array([[UInt8]](repeating: [0, 0x3C], count: 8).joined())
    let file = SafetensorsBuilder.file([
      ("own.relative_position_bias_table", "F32", [4, 2], SafetensorsBuilder.bytes(own)),
      ("shared.relative_position_bias_table", "F16", [4, 2], halves),
    ])
    let weights = WeightPath(SafetensorsCollection(try SafetensorsFile(file, named: "model.safetensors")))
    let bias = PatchPositionBias(heads: 2, rows: 1, columns: 1)
    var graph = GraphBuilder()
    let mask = try #require(try bias.mask([weights["own"], weights["shared"]], in: &graph))
    let numbers = try #require(graph[mask].constant)
    #expect(numbers.shape.dimensions == [1, 2, 2, 2])
    // Rows 3, 1, 2 and 0 of the table: of class token and class token, of it and the patch, the other way, and the patch.
    #expect(try numbers.elements(of: Float.self) == [7, 3, 5, 1, 8, 4, 6, 2])
    let none = try bias.mask([], in: &graph)
    #expect(none == nil)
  }

  /// Graphs of all batches have the same tables, and layers without one of their own the one in common.
  @Test func graphsShareTables() throws {
    for (name, count) in [("beit", 2), ("beit-shared", 1), ("beit-both", 2)] {
      let tower = try #require(try ModelArchitecture.load(ModelFixture(name).folder).image)
      let storages = try [1, 3].map { batch in
        let graph = try tower.graph(batch: batch)
        let masks = graph.values.filter { $0.name.hasSuffix("by position") }.compactMap(\.constant)
        return masks.map { ObjectIdentifier($0.storage) }
      }
      #expect(storages[0].count == 2 && Set(storages[0]).count == count)
      #expect(storages[0] == storages[1])
    }
  }

  @Test func picturesOfAnotherSizeAreRefused() throws {
    let folder = try ModelFixture("beit").folder
    let size = ImageSize(height: 48, width: 48)
    let error = try #require(throws: ApusError.self) { try ModelArchitecture.load(folder, imageSize: size) }
    #expect(error.kind == .argument && error.expected == "40×40")
  }
}
