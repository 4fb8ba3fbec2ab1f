import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Sparse encodings are verified against the shape, and refused with the tensor where they contradict it.
struct TFLiteSparsityTests {
  private typealias Level = TFLiteSparsityBuilder.Level

  /// What parsing ``ModelSamples/sparse`` says after a change of its tensor.
  private func refusal(_ change: (inout Builder.Tensor) -> Void) -> String {
    var model = ModelSamples.sparse
    change(&model.subgraphs[0].tensors[0])
    return FormatsTests.refusal(model.build())
  }

  private func refusal(
    order: [Int32] = [0, 1], _ levels: [Level], blockMap: [Int32] = [], shape: [Int32] = [2, 3]
  ) -> String {
    refusal {
      $0.shape = shape
      $0.sparsity = .init(order, levels, blockMap: blockMap)
    }
  }

  /// Of rows: the first level is dense, the second has these bounds and indices.
  private func refusal(rows: [Int32], _ indices: [Int32]) -> String {
    refusal([.dense(2), .compressed(.int32(rows), .int32(indices))])
  }

  @Test func aMatrixOfCompressedRows() throws {
    let subgraph = try TFLiteModel(ModelSamples.sparse.build()).subgraphs[0]
    let sparsity = try #require(subgraph.tensors[0].sparsity)
    #expect(subgraph.obstacles == [])
    #expect(sparsity.leafCount == 3 && sparsity.levels.map(\.stride) == [3, 1])
    guard case .dense(2) = sparsity.levels[0].children,
      case .compressed(let segments, let indices) = sparsity.levels[1].children
    else {
      Issue.record("other levels")
      return
    }
    #expect((0..<segments.count).map { segments[$0] } == [0, 2, 3])
    #expect((0..<indices.count).map { indices[$0] } == [0, 2, 2])
  }

  /// Neighbouring blocks are as far apart as a block is long.
  @Test func blocksOfSeveralAxes() throws {
    var model = ModelSamples.sparse
    model.subgraphs[0].tensors[0].shape = [4, 6]
    model.subgraphs[0].tensors[0].data = [UInt8](repeating: 0, count: 3 * 6 * 4)
    model.subgraphs[0].tensors[0].sparsity = .init(
      [1, 0, 3, 2], [.dense(2), .compressed(.uint16([0, 1, 3]), .uint8([1, 0, 1])), .dense(3), .dense(2)],
      blockMap: [0, 1])
    let sparsity = try #require(try TFLiteModel(model.build()).subgraphs[0].tensors[0].sparsity)
    #expect(sparsity.leafCount == 18 && sparsity.levels.map(\.stride) == [3, 12, 1, 6])
  }

  @Test func dimensions() {
    let levels: [Level] = [.dense(2), .dense(3)]
    for order in [[0, 0], [0], [0, 1, 2], [1, 2], [-1, 0], []] as [[Int32]] {
      #expect(
        refusal(order: order, levels).contains(
          "(SparsityParameters.traversal_order): the dimensions \(order), expected"))
    }
    for map in [[2], [-1], [1, 0], [1, 1]] as [[Int32]] {
      let text = "(SparsityParameters.block_map): blocks along the dimensions \(map), expected"
      #expect(refusal(order: [0, 1, 2], levels + [.dense(1)], blockMap: map).contains(text))
    }
    // Dimensions inside a block come last.
    #expect(
      refusal(order: [0, 2, 1], levels + [.dense(1)], blockMap: [1]).contains("the dimensions [0, 2, 1]"))
    #expect(refusal([.dense(2)]).contains("(SparsityParameters.dim_metadata): 1 levels, expected 2"))
    #expect(refusal(levels + levels).contains("4 levels, expected 2"))
  }

  @Test func everyRefusalNamesTheTensorAndTheLevel() {
    let text = refusal([.dense(2), .dense(4)])
    #expect(text.hasPrefix("tensor 0 'sparse': level 1 of its sparse encoding: offset"))
    #expect(text.contains("(DimensionMetadata.dense_size): 4 indices, expected 3, as the shape says"))
    #expect(refusal([.dense(-1), .dense(3)]).contains("-1 indices, expected 2"))
    #expect(refusal([.dense(2), .other([0: .int8(2)])]).contains("unknown format 2, expected 0 or 1"))
  }

  @Test func blocks() {
    func blocks(of size: Level) -> String {
      refusal(order: [0, 1, 2], [.dense(2), .dense(1), size], blockMap: [1])
    }
    #expect(blocks(of: .dense(2)).contains("blocks of 2 along dimension 1 of shape [2, 3]"))
    #expect(blocks(of: .dense(0)).contains("blocks of 0 along dimension 1"))
    #expect(blocks(of: .dense(-3)).contains("blocks of -3 along dimension 1"))
    #expect(blocks(of: .dense(.max)).contains("blocks of 2147483647 along dimension 1"))
    #expect(blocks(of: .other([0: .int8(1), 1: .int32(3)])).contains("blocks that are sparse themselves"))
  }

  @Test func segments() {
    #expect(refusal(rows: [0, 3], [0, 1, 2]).contains("2 bounds of segments, expected 3 for 2 nodes"))
    #expect(refusal(rows: [0, 2, 3, 3], [0, 2, 2]).contains("4 bounds of segments"))
    #expect(refusal(rows: [], []).contains("0 bounds of segments"))
    #expect(refusal(rows: [1, 2, 3], [0, 2, 2]).contains("segments from 1 to 3, expected from 0 to 3"))
    #expect(refusal(rows: [0, 2, 2], [0, 2, 2]).contains("segments from 0 to 2, expected from 0 to 3"))
    #expect(refusal(rows: [0, 4, 3], [0, 2, 2]).contains("segment 0 from 0 to 4, expected bounds"))
    #expect(refusal(rows: [0, -1, 3], [0, 2, 2]).contains("segment 0 from 0 to -1, expected bounds"))
    #expect(refusal(rows: [0, .max, 3], [0, 2, 2]).contains("segment 0 from 0 to 2147483647"))
  }

  @Test func indices() {
    #expect(
      refusal(rows: [0, 2, 3], [0, 3, 2]).contains("index 3 after 0 in segment 0, expected ascending"))
    #expect(refusal(rows: [0, 2, 3], [-1, 2, 2]).contains("index -1 after -1 in segment 0"))
    #expect(refusal(rows: [0, 2, 3], [1, 1, 2]).contains("index 1 after 1 in segment 0"))
    #expect(refusal(rows: [0, 2, 3], [2, 0, 2]).contains("index 0 after 2 in segment 0"))
    #expect(refusal(rows: [0, 2, 3], [0, 2, 3]).contains("index 3 after -1 in segment 1"))
  }

  @Test func vectors() {
    func row(_ fields: [Int: FlatBufferNode]) -> String {
      let bounds = TFLiteSparsityBuilder.Indices.int32([0, 2, 3]).node
      let whole: [Int: FlatBufferNode] = [0: .int8(1), 2: .uint8(1), 3: bounds, 4: .uint8(1), 5: bounds]
      return refusal([.dense(2), .other(whole.merging(fields) { $1 })])
    }
    for kind in [0, 4, 255] as [UInt8] {
      #expect(
        row([2: .uint8(kind)]).contains("(DimensionMetadata.array_segments_type): indices of kind \(kind)"))
      #expect(
        row([4: .uint8(kind)]).contains("(DimensionMetadata.array_indices_type): indices of kind \(kind)"))
    }
    #expect(row([3: .table([:])]).contains("(DimensionMetadata.array_segments): no values"))
    let endless = row([5: .table([0: .emptyVector(claiming: .max)])])
    #expect(endless.contains("(Int32Vector.values): a vector of 4294967295 elements"))
    #expect(
      refusal([.dense(2), .other([0: .int8(1)])]).contains("indices of kind 0, expected one of 1 to 3"))
  }

  @Test func bytes() {
    for count in [8, 16, 24] {
      let text = refusal { $0.data = [UInt8](repeating: 0, count: count) }
      #expect(text.contains("buffer 1 has \(count) bytes, expected 12 for 3 elements of FLOAT32[2, 3]"))
    }
    // No bytes make no constant.
    let text = refusal { $0.data = [] }
    #expect(text.contains("it reads tensor 0 'sparse' before anything has written it"))
  }

  /// A matrix without elements that are not zero stores none.
  @Test func nothingStored() throws {
    var model = ModelSamples.sparse
    model.subgraphs[0].tensors[0].data = []
    model.subgraphs[0].tensors[0].sparsity = .init(
      [0, 1], [.dense(2), .compressed(.uint8([0, 0, 0]), .uint8([]))])
    let tensor = try TFLiteModel(model.build()).subgraphs[0].tensors[0]
    #expect(tensor.sparsity?.leafCount == 0 && tensor.data?.isEmpty == true)
  }

  /// Numbers that a product of them would overflow.
  @Test func hugeShapes() {
    let size = Int32(1) << 24
    let text = refusal(
      [.dense(size), .compressed(.uint8([0, 1]), .uint8([0]))], shape: [size, size])
    #expect(text.contains("2 bounds of segments, expected 16777217 for 16777216 nodes"))
    #expect(refusal([.dense(size), .dense(size)], shape: [size, size]).contains("1125899906842624"))
  }

  /// A small file cannot have a vector verified again and again: what is read is counted.
  @Test func sharedVectorsAreBounded() {
    let rows = Int32(40_000)
    let bounds = [0] + [Int32](repeating: 1, count: Int(rows))
    let sparsity = TFLiteSparsityBuilder(
      [0, 1], [.dense(rows), .compressed(.int32(bounds), .uint8([0]))])
    let tensor = FlatBufferNode.table([0: .int32s([rows, 1]), 2: .uint32(1), 6: sparsity.node])
    var model = TFLiteModelBuilder()
    model.extra = [
      2: .vector([.table([0: .repeated(tensor, count: 1000)])]),
      4: .vector([.table([:]), .table([0: .bytes([0, 0, 0, 0])])]),
    ]
    #expect(FormatsTests.refusal(model.build()).contains("referred to too many times"))
  }
}
