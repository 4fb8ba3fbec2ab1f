import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// A sparse tensor is dense in memory once, however many composite operators and graphs read it.
struct TFLiteSparseSharingTests {
  private func storages(_ graph: Graph) -> Set<ObjectIdentifier> {
    Set(graph.values.compactMap(\.constant).map { ObjectIdentifier($0.storage) })
  }

  /// A chain of composite operators that all stand for one layer, whose weights take 64 MiB once they are dense.
  private func layers(_ count: Int32) -> TFLiteModelBuilder {
    let size: Int32 = 1 << 12
    var matrix = Builder.Tensor.constant("m", [size, size], [1] as [Float])
    let level = TFLiteSparsityBuilder.Level.compressed(.uint8([0, 1]), .int32([size - 1]))
    matrix.sparsity = .init([0, 1], [level, level])
    func row(_ name: String) -> Builder.Tensor { Builder.Tensor(name, Builder.float32, [1, size]) }
    func call(_ index: Int32) -> Builder.Operator {
      var step = Builder.Operator(code: 0, inputs: [index], outputs: [index + 1])
      step.extra = [11: .uint8(21), 12: .table([0: .string("layer"), 1: .int32(1)])]
      return step
    }
    let layer = Builder.Operator(code: 1, inputs: [0, 1, -1], outputs: [2], options: Builder.Options(8))
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(206, deprecated: 127), Builder.Code(9)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: (0...count).map { row("x\($0)") }, inputs: [0], outputs: [count],
        operators: (0..<count).map { call($0) }),
      Builder.Subgraph(
        tensors: [row("a"), matrix, row("b")], inputs: [0], outputs: [2], operators: [layer]),
    ]
    return model
  }

  /// Five copies would take more than a small file may make.
  @Test func compositesShareTheirWeights() throws {
    let graph = try layers(5).importer().graph()
    #expect(graph.nodes.count == 5)
    let found = storages(graph)
    #expect(found.count == 1)
  }

  @Test func graphsOfAModelShareThem() throws {
    let importer = try SmallModels.sparse.importer()
    let graphs = [try importer.graph(), try importer.graph(), try importer.tracedGraph().graph]
    let found = graphs.map { storages($0) }
    #expect(found[0].count == 2)
    #expect(found[0] == found[1] && found[0] == found[2])
  }

  @Test func nothingIsKeptBeyondThem() throws {
    let importer = try SmallModels.sparse.importer()
    weak var kept: TensorStorage?
    do {
      let graph = try importer.graph()
      let storage = try #require(graph.values.compactMap(\.constant).first?.storage)
      kept = storage
    }
    let isGone = kept == nil
    #expect(isGone)
  }
}
