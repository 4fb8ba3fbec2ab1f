import Graph
import TensorCore
import Testing

/// What the golden file leaves out: types that LiteRT lacks, data that is refused while a model runs, and the
/// edges of conversions.
@Suite struct DataMovementExampleTests {
  @Test func castsSaturateAndNeverTrap() throws {
    let edges: [Float] = [.nan, .infinity, -.infinity, 3e9, -3e9, 1e30, 127.9, -128.9, -0.5]
    let x = try TestOperand.given(edges, [edges.count])
    let bytes = try result(of: Cast(to: .int8), [x]).elements(of: Int8.self)
    #expect(bytes == [127, 127, -128, 127, -128, 127, 127, -128, 0])
    let words = try result(of: Cast(to: .int32), [x]).elements(of: Int32.self)
    #expect(words == [.max, .max, .min, .max, .min, .max, 127, -128, 0])
    let long = try result(of: Cast(to: .int64), [x]).elements(of: Int64.self)
    #expect(long == [.max, .max, .min, 3_000_000_000, -3_000_000_000, .max, 127, -128, 0])
    let unsigned = try result(of: Cast(to: .uint8), [x]).elements(of: UInt8.self)
    #expect(unsigned == [255, 255, 0, 255, 0, 255, 127, 0, 0])
    let truths = try result(of: Cast(to: .bool), [x]).withBytes { Array($0) }
    #expect(truths == [1, 1, 1, 1, 1, 1, 1, 1, 1])
  }

  @Test func bfloat16RoundsToNearestEvenAndComesBackExactly() throws {
    // 1 + 2⁻⁸ lies halfway between 1 and the next bfloat16, 1 + 2⁻⁷, whose last bit is odd.
    let x = try TestOperand.given([1, 1.00390625, 1.01171875, -2.5, .infinity, .nan] as [Float], [6])
    let narrow = try result(of: Cast(to: .bfloat16), [x])
    let wide = try result(of: Cast(to: .float32), [TestOperand(tensor: narrow, isConstant: false)])
    let values = try wide.elements(of: Float.self)
    #expect(values.dropLast() == [1, 1, 1.015625, -2.5, .infinity])
    #expect(values[5].isNaN)
  }

  @Test func bitcastKeepsTheBytes() throws {
    let x = try TestOperand.given([1, -2] as [Float], [2])
    let bytes = try result(of: Bitcast(to: .uint8), [x])
    #expect(bytes.shape.dimensions == [2, 4])
    let back = try result(of: Bitcast(to: .float32), [TestOperand(tensor: bytes, isConstant: false)])
    #expect(try back.elements(of: Float.self) == [1, -2])
    #expect(back.shape.dimensions == [2])
  }

  @Test func whereStatesHowManyRowsARunHas() throws {
    for (condition, rows) in [([true, false, true], [0, 2]), ([false, false, false], [])]
      as [([Bool], [Int64])]
    {
      let found = try result(of: Where(), [.given(condition, [3])])
      #expect(found.shape.dimensions == [rows.count, 1])
      #expect(try found.elements(of: Int64.self) == rows)
    }
    let folded = TestOperand(tensor: try Tensor([false, true], shape: Shape([2])), isConstant: true)
    #expect(try result(of: Where(), [folded]).elements(of: Int64.self) == [1])
  }

  @Test(arguments: [-1, 3, Int32.max, Int32.min])
  func anIndexThatDoesNotExistEndsTheRunWithAnError(_ index: Int32) throws {
    let table = try TestOperand.given((0..<6).map { Float($0) }, [3, 2])
    #expect(throws: ApusError.self) { try result(of: Gather(), [table, .given([0, index], [2])]) }
    #expect(throws: ApusError.self) { try result(of: GatherND(), [table, .given([index], [1, 1])]) }
    #expect(throws: ApusError.self) { try result(of: EmbeddingLookup(), [.given([index], [1]), table]) }
    #expect(throws: ApusError.self) {
      try result(of: ScatterND(), [.given([index], [1, 1]), .given([Float(1)], [1]), .integers([3])])
    }
    let one = try TestOperand.given([Float(1)], [])
    #expect(throws: ApusError.self) {
      try result(of: SparseToDense(), [.given([0, index], [2]), .integers([3]), one, one])
    }
  }

  /// Negative numbers of segments are allowed: such slices belong to none.
  @Test(arguments: [3, Int32.max])
  func aSegmentThatDoesNotExistEndsTheRunWithAnError(_ segment: Int32) throws {
    let slices = try TestOperand.given((0..<6).map { Float($0) }, [3, 2])
    let count = try TestOperand.integer(3)
    for kind in [UnsortedSegment.Kind.sum, .product, .max, .min] {
      #expect(throws: ApusError.self) {
        try result(of: UnsortedSegment(kind), [slices, .given([0, segment, 1], [3]), count])
      }
      let sums = try result(
        of: UnsortedSegment(kind), [slices, .given([2, .min, 2] as [Int32], [3]), count])
      #expect(sums.shape.dimensions == [3, 2])
    }
  }

  @Test func aNaNIsNoExtremumOfASegment() throws {
    let x = try TestOperand.given([.nan, 1, .nan, 3, .nan] as [Float], [5])
    let segments = try TestOperand.given([0, 0, 1, 0, -1] as [Int32], [5])
    let greatest = try result(of: UnsortedSegment(.max), [x, segments, .integer(2)]).elements(of: Float.self)
    #expect(greatest == [3, -.greatestFiniteMagnitude])
    let least = try result(of: UnsortedSegment(.min), [x, segments, .integer(2)]).elements(of: Float.self)
    #expect(least == [1, .greatestFiniteMagnitude])
  }

  @Test func anExtremumOfASegmentIsFiniteOnOneSide() throws {
    let x = try TestOperand.given([-.infinity, .infinity] as [Float], [2])
    let segments = try TestOperand.given([0, 1] as [Int32], [2])
    let greatest = try result(of: UnsortedSegment(.max), [x, segments, .integer(2)]).elements(of: Float.self)
    #expect(greatest == [-.greatestFiniteMagnitude, .infinity])
    let least = try result(of: UnsortedSegment(.min), [x, segments, .integer(2)]).elements(of: Float.self)
    #expect(least == [-.infinity, .greatestFiniteMagnitude])
  }

  @Test func aScalarIsTheSegmentOfTheWholeTensor() throws {
    let x = try TestOperand.given([5, 6] as [Float], [2])
    let segment = try TestOperand.given([1] as [Int32], [])
    let sums = try result(of: UnsortedSegment(.sum), [x, segment, .integer(3)])
    #expect(sums.shape.dimensions == [3, 2])
    let found = try sums.elements(of: Float.self)
    #expect(found == [0, 0, 5, 6, 0, 0])
  }

  /// The box is moved until it fits, however far away it would begin.
  @Test(
    arguments: [(-7, [9, 1, 2]), (1, [0, 9, 2]), (2, [0, 1, 9]), (.max, [0, 1, 9])] as [(Int64, [Int32])])
  func anUpdateBeginsWhereItFits(_ start: Int64, _ expected: [Int32]) throws {
    let x = try TestOperand.given([0, 1, 2] as [Int32], [3])
    let update = try TestOperand.given([9] as [Int32], [1])
    let updated = try result(of: DynamicUpdateSlice(), [x, update, .given([start], [1])])
    let found = try updated.elements(of: Int32.self)
    #expect(found == expected)
  }

  /// The last of equal rows counts, and one value stands for all rows.
  @Test func sparseElementsOverDefaults() throws {
    let rows = try TestOperand.given([0, 1, 1, 0, 0, 1] as [Int32], [3, 2])
    let none = try TestOperand.given([Int8(-1)], [1])
    let several = try TestOperand.given([1, 2, 3] as [Int8], [3])
    let shape = try TestOperand.integers([2, 2])
    let found = try result(of: SparseToDense(), [rows, shape, several, none]).elements(of: Int8.self)
    #expect(found == [-1, 3, 2, -1])
    let one = try TestOperand.given([Int8(5)], [])
    let same = try result(of: SparseToDense(), [rows, shape, one, none]).elements(of: Int8.self)
    #expect(same == [-1, 5, 5, -1])
  }

  @Test func zerosDependOnTheShapeAlone() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", TensorType(.int64, try Shape([2, 3])))
    let zeros = try builder.add(ZerosLike(), [x], results: [.init("zeros")], label: "zeros")
    let found = try builder[zeros[0]].constant?.elements(of: Int64.self)
    #expect(found == [0, 0, 0, 0, 0, 0])
  }

  @Test func reversalLongerThanTheSequenceIsRefused() throws {
    let x = try TestOperand.given([1, 2, 3, 4] as [Int8], [2, 2])
    let operation = ReverseSequence(sequenceAxis: 1, batchAxis: 0)
    #expect(
      try result(of: operation, [x, .given([2, 1] as [Int32], [2])]).elements(of: Int8.self) == [2, 1, 3, 4])
    #expect(throws: ApusError.self) { try result(of: operation, [x, .given([3, 1] as [Int32], [2])]) }
  }

  @Test func aNaNIsNeverAnExtremum() throws {
    let x = try TestOperand.given([.nan, 1, 3, .nan, 3] as [Float], [5])
    #expect(try result(of: ArgExtremum(.maximum, outputType: .int32), [x, .integer(0)]).integers() == [2])
    #expect(try result(of: ArgExtremum(.minimum, outputType: .int64), [x, .integer(0)]).integers() == [1])
    #expect(try results(of: TopK(), [x, .integer(3)], declaring: [nil, nil])[1].integers().count == 3)
  }

  @Test func bytesOtherThanOneAreTrueToo() throws {
    let odd = try Tensor(TensorType(.bool, Shape([3]))) { bytes in
      for (index, byte) in [UInt8(0), 2, 255].enumerated() { bytes[index] = byte }
    }
    let condition = TestOperand(tensor: odd, isConstant: false)
    let chosen = try result(
      of: Select(broadcasts: true), [condition, .given([Int8(1)], [1]), .given([Int8(-1)], [1])])
    #expect(try chosen.elements(of: Int8.self) == [-1, 1, 1])
    #expect(try result(of: Cast(to: .int32), [condition]).elements(of: Int32.self) == [0, 1, 1])
  }

  @Test func selectByAScalarWithoutBroadcasting() throws {
    let condition = TestOperand(tensor: try Tensor([false], shape: .scalar), isConstant: false)
    let chosen = try result(
      of: Select(broadcasts: false),
      [condition, .given([1, 2] as [Float], [2]), .given([3, 4] as [Float], [2])])
    #expect(try chosen.elements(of: Float.self) == [3, 4])
  }

  @Test func aRangeWithoutElements() throws {
    #expect(try result(of: NumberRange(), [.integer(5), .integer(5), .integer(1)]).shape.dimensions == [0])
    #expect(throws: ApusError.self) {
      try result(of: NumberRange(), [.integer(5), .integer(6), .integer(0)])
    }
  }
}
