import Graph
import TensorCore
import Testing

/// Laws that hold whatever the elements are: what one operation does, another undoes.
@Suite struct DataMovementLawTests {
  private func counted(_ shape: [Int]) throws -> TestOperand {
    let count = shape.reduce(1, *)
    return try .given((0..<count).map { Int32($0) }, shape)
  }

  private func given(_ tensor: Tensor) -> TestOperand { TestOperand(tensor: tensor, isConstant: false) }

  private func same(_ a: Tensor, _ b: Tensor) -> Bool {
    a.type == b.type && a.withBytes { Array($0) } == b.withBytes { Array($0) }
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2]])
  func transpositionIsUndoneByTheInversePermutation(_ permutation: [Int32]) throws {
    let x = try counted([3, 4, 5])
    let inverse = permutation.indices.map { axis in Int32(permutation.firstIndex(of: Int32(axis)) ?? 0) }
    let there = try result(of: Transpose(), [x, .integers(permutation)])
    let back = try result(of: Transpose(), [given(there), .integers(inverse)])
    #expect(same(back, x.tensor))
  }

  @Test func transpositionOfRankEightMovesEveryElement() throws {
    let dimensions = [2, 1, 3, 2, 1, 2, 3, 2]
    let permutation = [7, 3, 0, 5, 2, 6, 1, 4]
    let x = try counted(dimensions)
    let y = try result(of: Transpose(), [x, .integers(permutation.map { Int32($0) })])
    let moved = try y.elements(of: Int32.self)
    let from = x.tensor.shape.strides
    let to = y.shape.strides
    for position in moved.indices {
      let source = permutation.indices.reduce(0) { sum, axis in
        sum + position / to[axis] % y.shape[axis] * from[permutation[axis]]
      }
      #expect(moved[position] == Int32(source))
    }
  }

  @Test(arguments: [0, 1, 2])
  func joiningUndoesSplitting(_ axis: Int32) throws {
    let x = try counted([4, 6, 2])
    let parts = try results(of: Split(count: 2), [.integer(axis), x], declaring: [nil, nil])
    #expect(same(try result(of: Concatenation(axis: Int(axis)), parts.map(given)), x.tensor))
    let slices = try results(
      of: Unpack(count: x.tensor.shape[Int(axis)], axis: Int(axis)), [x],
      declaring: Array(repeating: nil, count: x.tensor.shape[Int(axis)]))
    #expect(same(try result(of: Pack(axis: Int(axis)), slices.map(given)), x.tensor))
  }

  @Test func spaceAndBatchUndoEachOther() throws {
    let x = try counted([2, 4, 6, 3])
    let pairs = TestOperand(
      tensor: try Tensor([Int32](repeating: 0, count: 4), shape: Shape([2, 2])), isConstant: true)
    let there = try result(of: SpaceToBatchND(), [x, .integers([2, 3]), pairs])
    #expect(there.shape.dimensions == [12, 2, 2, 3])
    #expect(same(try result(of: BatchToSpaceND(), [given(there), .integers([2, 3]), pairs]), x.tensor))
  }

  @Test func spaceAndDepthUndoEachOther() throws {
    let x = try counted([2, 4, 6, 3])
    let there = try result(of: SpaceToDepth(blockSize: 2), [x])
    #expect(same(try result(of: DepthToSpace(blockSize: 2), [given(there)]), x.tensor))
  }

  @Test func reversingTwiceIsNothing() throws {
    let x = try counted([3, 4, 5])
    let there = try result(of: Reverse(), [x, .integers([0, 2])])
    #expect(!same(there, x.tensor))
    #expect(same(try result(of: Reverse(), [given(there), .integers([0, 2])]), x.tensor))
  }

  @Test func paddingIsUndoneBySlicing() throws {
    let x = try counted([3, 4])
    let pairs = TestOperand(
      tensor: try Tensor([1, 2, 3, 0] as [Int32], shape: Shape([2, 2])), isConstant: true)
    let there = try result(of: Pad(), [x, pairs])
    #expect(there.shape.dimensions == [6, 7])
    #expect(same(try result(of: Slice(), [given(there), .integers([1, 3]), .integers([3, 4])]), x.tensor))
  }

  @Test func aTileIsTheBroadcastOfAUnitAxis() throws {
    let x = try counted([1, 5])
    let tiled = try result(of: Tile(), [x, .integers([4, 1])])
    #expect(same(tiled, try result(of: BroadcastTo(), [x, .integers([4, 5])])))
  }

  @Test func resultsDoNotDependOnTheNumberOfThreads() throws {
    let x = try counted([64, 70, 65])
    let pixels = (0..<43_200).map { Float($0 % 251) }
    let picture = try TestOperand.given(pixels, [3, 90, 80, 2])
    let runs = try [1, 2, 7].map { threads in
      [
        try result(of: Transpose(), [x, .integers([2, 0, 1])], threads: threads),
        try result(of: Reverse(), [x, .integers([0, 1, 2])], threads: threads),
        try result(of: Gather(axis: 1), [x, .integers([69, 0, 3, 3])], threads: threads),
        try result(of: ResizeBilinear(), [picture, .integers([131, 97])], threads: threads),
        try result(of: Cast(to: .float16), [x], threads: threads),
      ]
    }
    for run in runs.dropFirst() {
      for (first, other) in zip(runs[0], run) { #expect(same(first, other)) }
    }
  }
}
