import Graph
import TensorCore
import Testing

/// Random operands for every operation: each time there is a result or an ``ApusError``, never a trap.
@Suite struct DataMovementFuzzTests {
  /// SplitMix64.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  @Test(arguments: 0..<10)
  func anyOperandsGiveAResultOrAnError(_ round: Int) throws {
    let seed = UInt64(round) &* 7919 &+ 20_240_229
    var random = Generator(state: seed)
    var answered = 0
    for _ in 0..<400 {
      let (operation, results) = Self.operation(&random)
      let operands = try (0..<Int.random(in: 1...4, using: &random)).map { _ in try Self.operand(&random) }
      do {
        guard try Self.isSmall(operation, operands) else { continue }
        _ = try GraphTests.results(of: operation, operands, declaring: Array(repeating: nil, count: results))
        answered += 1
      } catch is ApusError {}
    }
    #expect(answered > 0, "seed \(seed)")
  }

  /// Whether the results are not so large, though allowed, that a test would take long to make them.
  private static func isSmall(_ operation: some Operation, _ operands: [TestOperand]) throws -> Bool {
    let types = try operation.outputTypes(
      Operands(
        inputs: operands.map(\.tensor.type), constants: operands.map { $0.isConstant ? $0.tensor : nil },
        declared: []))
    return types.allSatisfy { $0.byteCount <= 1 << 24 }
  }

  private static func attribute(_ random: inout Generator) -> Int {
    let edges = [Int.min, Int(Int32.min), -1, 0, 1, Int(Int32.max), Int.max]
    return Bool.random(using: &random)
      ? Int.random(in: -2...4, using: &random) : edges.randomElement(using: &random) ?? 0
  }

  private static func operand(_ random: inout Generator) throws -> TestOperand {
    let rank = Int.random(in: 0...4, using: &random)
    var shape = (0..<rank).map { _ in Int.random(in: 0...3, using: &random) }
    // Most operands besides the first are short vectors of integers.
    if Bool.random(using: &random) { shape = [Int.random(in: 0...4, using: &random)] }
    let count = shape.reduce(1, *)
    let isConstant = Int.random(in: 0..<4, using: &random) > 0
    let tensor: Tensor
    switch Int.random(in: 0..<6, using: &random) {
    case 0: tensor = try Tensor((0..<count).map { Float($0) - 2 }, shape: Shape(shape))
    case 1: tensor = try Tensor((0..<count).map { UInt8($0 % 251) }, shape: Shape(shape))
    case 2: tensor = try Tensor((0..<count).map { $0 % 2 == 0 }, shape: Shape(shape))
    case 3: tensor = try Tensor((0..<count).map { _ in Int64(attribute(&random)) }, shape: Shape(shape))
    default:
      tensor = try Tensor(
        (0..<count).map { _ in Int32(clamping: attribute(&random)) }, shape: Shape(shape))
    }
    return TestOperand(tensor: tensor, isConstant: isConstant)
  }

  private static func operation(_ random: inout Generator) -> (any Operation, results: Int) {
    let a = attribute(&random)
    let b = attribute(&random)
    let flag = Bool.random(using: &random)
    let count = Int.random(in: 0...3, using: &random)
    let masks = (0..<5).map { _ in Int.random(in: 0..<16, using: &random) & (flag ? 15 : 0) }
    let type = DataType.allCases.randomElement(using: &random) ?? .int32
    let choices: [(any Operation, Int)] = [
      (Squeeze(axes: flag ? [] : [a, b]), 1), (ExpandDimensions(), 1), (Transpose(), 1),
      (Concatenation(axis: a), 1), (Split(count: flag ? count : a), count), (SplitV(count: count), count),
      (Pack(axis: a), 1), (Unpack(count: flag ? count : a, axis: b), count), (Slice(), 1),
      (
        StridedSlice(
          beginMask: masks[0], endMask: masks[1], ellipsisMask: masks[2], newAxisMask: masks[3],
          shrinkAxisMask: masks[4], offset: count == 0), 1
      ),
      (Gather(axis: a, batchDimensions: b), 1), (GatherND(), 1), (ScatterND(), 1), (Tile(), 1), (Pad(), 1),
      (MirrorPad(mode: flag ? .reflect : .symmetric), 1), (BroadcastTo(), 1), (BroadcastArguments(), 1),
      (Fill(), 1), (NumberRange(), 1), (OneHot(axis: a), 1), (ShapeOf(elementType: type), 1), (Rank(), 1),
      (DepthToSpace(blockSize: a), 1), (SpaceToDepth(blockSize: a), 1), (SpaceToBatchND(), 1),
      (BatchToSpaceND(), 1), (Reverse(), 1), (ReverseSequence(sequenceAxis: a, batchAxis: b), 1),
      (Select(broadcasts: flag), 1), (Where(), 1), (TopK(), 2), (ArgExtremum(.maximum, outputType: type), 1),
      (ArgExtremum(.minimum, outputType: .int32), 1), (Cast(to: type), 1), (Bitcast(to: type), 1),
      (EmbeddingLookup(), 1),
      (CumulativeSum(exclusive: flag, reverse: count == 0), 1),
      (ResizeBilinear(alignCorners: flag, halfPixelCenters: count == 0), 1),
      (ResizeNearestNeighbor(alignCorners: flag, halfPixelCenters: count == 0), 1), (MatrixDiagonal(), 1),
      (MatrixSetDiagonal(), 1), (Reshape(shape: flag ? nil : [a, b]), 1), (ZerosLike(), 1),
      (DynamicUpdateSlice(), 1), (SparseToDense(), 1), (SegmentSum(), 1),
      (UnsortedSegment(flag ? .sum : .max), 1),
    ]
    return choices.randomElement(using: &random) ?? choices[0]
  }
}
