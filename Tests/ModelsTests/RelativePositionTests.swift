import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// What attention adds by the distance of two tokens, as transformers' MPNet has it.
struct RelativePositionTests {
  @Test func bucketsAreThoseOfTheLibrary() throws {
    let expected = try ModelFixture("mpnet").numbers("buckets")
    #expect(expected.count == 1023)
    #expect((-511...511).map { Float(RelativePositionBias.bucket(of: $0)) } == expected)
  }

  /// The first distance of each bucket that has several, and numbers beyond every text.
  @Test func bucketsGrowWithTheLogarithm() {
    let firsts = [8, 12, 16, 23, 32, 46, 64, 91]
    for (index, first) in firsts.enumerated() {
      #expect(RelativePositionBias.bucket(of: -first) == 8 + index)
      #expect(RelativePositionBias.bucket(of: 1 - first) == 7 + index)
      #expect(RelativePositionBias.bucket(of: first) == 24 + index)
    }
    #expect(RelativePositionBias.bucket(of: .min) == 15 && RelativePositionBias.bucket(of: .max) == 31)
  }

  /// Graphs of all shapes have one and the same table, for distances within the longest text.
  @Test func graphsShareOneTable() throws {
    let tower = try #require(try ModelArchitecture.load(ModelFixture("mpnet").folder).text)
    let tables = try [(3, 1), (192, 1), (40, 7)].map { tokens, sequences in
      let graph = try tower.graph(tokens: tokens, sequences: sequences)
      return try #require(graph.values.first { $0.name.hasSuffix("by distance") }?.constant)
    }
    #expect(tables.allSatisfy { $0.shape.dimensions == [1, 2, 1, 383] })
    #expect(tables.allSatisfy { $0.storage === tables[0].storage })
  }

  /// transformers counts distances in columns, those of tokens left out too.
  @Test func gapsAreRefused() throws {
    let tower = try #require(try ModelArchitecture.load(ModelFixture("mpnet").folder).text)
    let rows = [[1, 1, 1, 0], [0, 1, 1, 1], [1, 1, 0, 1]].map { TokenRow([0, 9, 8, 2], marks: $0) }
    #expect(try tower.inputs(Array(rows.prefix(2)))[0].shape.elementCount == 6)
    let error = try #require(throws: ApusError.self) { try tower.inputs(rows) }
    #expect(error.kind == .argument && error.location == "text 2", "\(error)")
  }

  @Test func theLearnedTableMayBeStoredInFewerBits() throws {
    let halves = Array([[UInt8]](repeating: [0, 0x3C], count: 64).joined())
    let twos = [UInt8](repeating: 2, count: 64)
    let scales = SafetensorsBuilder.bytes([Float](repeating: 0.5, count: 32))
    for file in [
      SafetensorsBuilder.file([("bias.weight", "F16", [32, 2], halves)]),
      SafetensorsBuilder.file([
        ("bias.weight", "I8", [32, 2], twos), ("bias.weight_scale", "F32", [32], scales),
      ]),
    ] {
      let weights = WeightPath(SafetensorsCollection(try SafetensorsFile(file, named: "model.safetensors")))
      var graph = GraphBuilder()
      let mask = try RelativePositionBias(heads: 2, rows: 32, length: 4).mask(weights["bias"], in: &graph)
      let found = try graph[mask].constant?.elements(of: Float.self)
      #expect(found == [Float](repeating: 1, count: 14))
    }
  }
}
