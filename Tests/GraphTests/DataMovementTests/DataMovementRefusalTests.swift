import Graph
import TensorCore
import Testing

/// Operands that no file may bring: each ends in an error that says why, before any memory is asked for.
@Suite struct DataMovementRefusalTests {
  private func refusal(
    _ operation: some Operation, _ operands: [TestOperand], _ results: Int = 1
  ) throws -> ApusError? {
    do {
      _ = try GraphTests.results(of: operation, operands, declaring: Array(repeating: nil, count: results))
      return nil
    } catch let error as ApusError {
      return error
    }
  }

  private func pairs(_ elements: [Int32]) throws -> TestOperand {
    TestOperand(tensor: try Tensor(elements, shape: Shape([elements.count / 2, 2])), isConstant: true)
  }

  @Test func resultsOverTheLimitAreRefused() throws {
    let x = try TestOperand.given([1] as [Float], [1, 1])
    let huge = Int32(1) << 20
    #expect(try refusal(Tile(), [x, .integers([huge, huge])])?.kind == .unsupportedModel)
    #expect(try refusal(BroadcastTo(), [x, .integers([huge, huge])])?.kind == .unsupportedModel)
    #expect(
      try refusal(Fill(), [.integers([huge, huge]), .given([Float(1)], [])])?.kind == .unsupportedModel)
    #expect(try refusal(Pad(), [x, pairs([huge, 0, 0, huge])])?.kind == .unsupportedModel)
    let ids = try TestOperand.given([Int32](repeating: 0, count: 16), [16])
    let one = try TestOperand.given([Float(1)], [])
    #expect(
      try refusal(OneHot(), [ids, .integer(.max), one, one])?.kind == .unsupportedModel)
    #expect(
      try refusal(NumberRange(), [.integer(0), .integer(.max), .integer(1)])?.kind == .unsupportedModel)
    let rows = try TestOperand.given([0, 0] as [Int32], [1, 2])
    #expect(
      try refusal(SparseToDense(), [rows, .integers([huge, huge]), one, one])?.kind == .unsupportedModel)
    let columns = try TestOperand.given([Float](repeating: 0, count: 1024), [1, 1024])
    #expect(
      try refusal(UnsortedSegment(.sum), [columns, .given([Int32(0)], [1]), .integer(huge)])?.kind
        == .unsupportedModel)
    let picture = try TestOperand.given([Float(1)], [1, 1, 1, 1])
    #expect(
      try refusal(ResizeBilinear(), [picture, .integers([huge, huge])])?.kind == .unsupportedModel)
    #expect(
      try refusal(SpaceToBatchND(), [picture, .integers([1, 1]), pairs([0, huge, huge, 0])])?.kind
        == .unsupportedModel)
  }

  @Test func operandsComputedAtRunTimeAreRefusedByName() throws {
    let x = try TestOperand.given([1, 2] as [Float], [2])
    let given = try TestOperand.given([2] as [Int32], [1])
    for error in [
      try refusal(Fill(), [given, .given([Float(1)], [])]), try refusal(Tile(), [x, given]),
      try refusal(Transpose(), [x, given]),
      try refusal(BroadcastTo(), [x, given]), try refusal(Slice(), [x, given, given]),
      try refusal(UnsortedSegment(.sum), [x, .given([0, 0] as [Int32], [2]), given]),
      try refusal(SegmentSum(), [x, .given([0, 0] as [Int32], [2])]),
      try refusal(SparseToDense(), [given, given, .given([Float(1)], [1]), .given([Float(1)], [])]),
    ] {
      let found = error?.problem ?? ""
      #expect(found.contains("computed while the model runs"), "\(found)")
    }
  }

  @Test func malformedOperandsAreRefused() throws {
    let x = try TestOperand.given((0..<6).map { Float($0) }, [2, 3])
    let vector = try TestOperand.given([1, 2] as [Float], [2])
    let whole = try TestOperand.given([1, 2] as [Int32], [2])
    #expect(try refusal(Squeeze(axes: [0]), [x]) != nil)
    #expect(try refusal(Squeeze(axes: [5]), [x]) != nil)
    #expect(try refusal(ExpandDimensions(), [x, .integer(4)]) != nil)
    #expect(try refusal(Transpose(), [x, .integers([0, 0])]) != nil)
    #expect(try refusal(Transpose(), [x, .integers([0])]) != nil)
    #expect(try refusal(Concatenation(axis: 0), [x, vector]) != nil)
    #expect(try refusal(Concatenation(axis: 0), [vector, whole]) != nil)
    #expect(try refusal(Concatenation(axis: 2), [x, x]) != nil)
    #expect(try refusal(Split(count: 2), [.integer(1), x], 2) != nil)
    #expect(try refusal(Split(count: 0), [.integer(1), x], 0) != nil)
    #expect(try refusal(Split(count: .max), [.integer(1), x]) != nil)
    #expect(try refusal(SplitV(count: 2), [x, .integers([-1, -1]), .integer(1)], 2) != nil)
    #expect(try refusal(SplitV(count: 2), [x, .integers([1, 1]), .integer(1)], 2) != nil)
    #expect(try refusal(Unpack(count: .max, axis: 0), [x]) != nil)
    #expect(try refusal(Slice(), [x, .integers([0, 1]), .integers([2, 3])]) != nil)
    #expect(try refusal(Slice(), [x, .integers([-1, 0]), .integers([1, 1])]) != nil)
    #expect(
      try refusal(StridedSlice(), [x, .integers([0, 0]), .integers([1, 1]), .integers([0, 1])]) != nil)
    #expect(
      try refusal(
        StridedSlice(shrinkAxisMask: 1), [x, .integers([2]), .integers([3]), .integers([1])]) != nil)
    #expect(try refusal(Gather(axis: 2), [x, .given([Int32(0)], [1])]) != nil)
    #expect(try refusal(Gather(), [x, vector]) != nil)
    #expect(try refusal(Pad(), [x, pairs([-1, 0, 0, 0])]) != nil)
    #expect(try refusal(Pad(), [x, pairs([0, 0])]) != nil)
    #expect(try refusal(MirrorPad(mode: .reflect), [x, pairs([2, 0, 0, 0])]) != nil)
    #expect(try refusal(MirrorPad(mode: .symmetric), [x, pairs([3, 0, 0, 0])]) != nil)
    #expect(try refusal(DepthToSpace(blockSize: .max), [x]) != nil)
    #expect(try refusal(TopK(), [x, .integer(4)], 2) != nil)
    #expect(try refusal(ArgExtremum(.maximum, outputType: .int8), [x, .integer(0)]) != nil)
    #expect(try refusal(Select(broadcasts: true), [x, x, x]) != nil)
  }

  @Test func malformedUpdatesAndSegmentsAreRefused() throws {
    let x = try TestOperand.given((0..<6).map { Float($0) }, [2, 3])
    let vector = try TestOperand.given([1, 2] as [Float], [2])
    let two = try TestOperand.integers([0, 0])
    #expect(try refusal(DynamicUpdateSlice(), [x, x, two]) == nil)
    #expect(try refusal(DynamicUpdateSlice(), [x, vector, two]) != nil)
    #expect(try refusal(DynamicUpdateSlice(), [x, x, .integers([0])]) != nil)
    #expect(
      try refusal(DynamicUpdateSlice(), [x, .given([Float](repeating: 0, count: 8), [2, 4]), two]) != nil)
    #expect(try refusal(DynamicUpdateSlice(), [x, .given([Int32(0)], [1, 1]), two]) != nil)
    #expect(try refusal(SegmentSum(), [x, two]) == nil)
    for segments in [[0], [1, 1], [0, 2], [-1, 0], [0, -1]] as [[Int32]] {
      #expect(try refusal(SegmentSum(), [x, .integers(segments)]) != nil, "\(segments)")
    }
    #expect(try refusal(UnsortedSegment(.max), [x, two, .integer(1)]) == nil)
    #expect(try refusal(UnsortedSegment(.max), [x, two, .integer(-1)]) != nil)
    #expect(try refusal(UnsortedSegment(.max), [x, .integers([0]), .integer(1)]) != nil)
    #expect(try refusal(UnsortedSegment(.max), [x, two, .integer(0)])?.kind == .malformedModel)
    #expect(try refusal(UnsortedSegment(.max), [x, .integers([]), .integer(0)]) != nil)
    let none = try TestOperand.given([Float](), [0, 3])
    #expect(try refusal(UnsortedSegment(.max), [none, .integers([]), .integer(0)]) == nil)
    let one = try TestOperand.given([Float(1)], [])
    #expect(try refusal(SparseToDense(), [two, .integers([4]), one, one]) == nil)
    #expect(try refusal(SparseToDense(), [two, .integers([4, 4]), one, one]) != nil)
    #expect(try refusal(SparseToDense(), [two, .integers([4]), x, one]) != nil)
    #expect(try refusal(SparseToDense(), [two, .integers([4]), one, vector]) != nil)
    #expect(try refusal(SparseToDense(), [two, .integers([-4]), one, one]) != nil)
    #expect(try refusal(ZerosLike(), [.given([true], [1])])?.kind == .unsupportedModel)
  }

  /// Where a model holds all operands itself, nobody who runs it can be wrong about them.
  @Test func indicesOfConstantsAreTheModelsFault() throws {
    let floats = try Tensor([1, 2, 3, 4] as [Float], shape: Shape([2, 2]))
    let table = TestOperand(tensor: floats, isConstant: true)
    let ids = try TestOperand.integers([0, 2])
    let cases: [(any Operation, [TestOperand], [TestOperand])] = try [
      (Gather(), [table, ids], [table, .integers([0, 1])]),
      (EmbeddingLookup(), [ids, table], [.integers([0, 1]), table]),
      (GatherND(), [table, ids], [table, .integers([0, 1])]),
      (UnsortedSegment(.sum), [table, ids, .integer(2)], [table, .integers([0, -1]), .integer(2)]),
      (FloorDivide(), [ids, .integers([1, 0])], [ids, .integers([1, 1])]),
    ]
    for (operation, wrong, sound) in cases {
      let error = try refusal(operation, wrong)
      #expect(error?.kind == .malformedModel, "\(operation.name): \(String(describing: error))")
      #expect(error?.location == operation.name)
      let other = try refusal(operation, sound)
      #expect(other == nil, "\(operation.name): \(String(describing: other))")
    }
    // What is given to a run is the caller's.
    let given = try TestOperand.given([0, 2] as [Int32], [2])
    let asked = try refusal(Gather(), [table, given])
    #expect(asked?.kind == .argument && asked?.problem == "index 2")
  }

  @Test func int8OperandsOfAnotherScaleAreRefused() throws {
    let fine = try Quantization(scales: [0.5], zeroPoints: [0])
    let other = try Quantization(scales: [0.25], zeroPoints: [0])
    let a = try TestOperand.given([1] as [Int8], [1], quantization: fine)
    let b = try TestOperand.given([1] as [Int8], [1], quantization: other)
    #expect(try refusal(Concatenation(axis: 0), [a, a]) == nil)
    #expect(try refusal(Concatenation(axis: 0), [a, b])?.kind == .unsupportedModel)
  }

  @Test func anotherDeclaredElementTypeIsRefused() throws {
    let x = try TestOperand.given([1, 2] as [Float], [2])
    let declared = TensorType(.int32, try Shape([2]))
    #expect(throws: ApusError.self) {
      try results(of: Reverse(), [x, .integers([0])], declaring: [declared])
    }
  }
}
