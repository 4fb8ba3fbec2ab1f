import Graph
import TensorCore
import TestSupport
import Testing

/// Reductions against nested loops, their laws, and what they refuse.
@Suite struct ReductionTests {
  @Test func axesCountFromTheEndAndRepeat() throws {
    let x = try floats([1, 2, 3, 4, 5, 6], [2, 3])
    let columns = try evaluate(Reduce(.sum, axes: [0], keepDimensions: false), [x])
    #expect(columns.shape.dimensions == [3])
    #expect(try columns.elements(of: Float.self) == [5, 7, 9])
    let rows = try evaluate(Reduce(.mean, axes: [-1, 1], keepDimensions: true), [x])
    #expect(rows.shape.dimensions == [2, 1])
    #expect(try rows.elements(of: Float.self) == [2, 5])
    let all = try evaluate(Reduce(.max, axes: [0, 1], keepDimensions: false), [x])
    #expect(all.shape.rank == 0)
    #expect(try all.elements(of: Float.self) == [6])
    let axes = try integers([Int64(1)])
    #expect(try evaluate(Reduce(.min, keepDimensions: false), [x, axes]).elements(of: Float.self) == [1, 4])
  }

  /// Each result is the sum of the elements whose kept coordinates are its own.
  @Test(arguments: 0..<100)
  func sumsOfRandomShapes(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rank = Int.random(in: 0...6, using: &random)
    let shape = try Shape((0..<rank).map { _ in [0, 1, 2, 3, 4].randomElement(using: &random) ?? 1 })
    let axes = (0..<rank).filter { _ in Bool.random(using: &random) }
    let x = (0..<shape.elementCount).map { _ in Int32.random(in: -99...99, using: &random) }
    let found = try evaluate(
      Reduce(.sum, axes: axes, keepDimensions: true), [integers(x, shape.dimensions)])
    var expected = [Int32](repeating: 0, count: found.shape.elementCount)
    let strides = found.shape.strides
    for (index, value) in x.enumerated() {
      let target = (0..<rank).reduce(0) { sum, axis in
        sum + (axes.contains(axis) ? 0 : index / shape.strides[axis] % shape[axis] * strides[axis])
      }
      expected[target] += value
    }
    #expect(try found.elements(of: Int32.self) == expected, "seed \(seed): \(shape) over \(axes)")
  }

  @Test func productsAndTruths() throws {
    let x = try integers([Int32(2), 3, -4], [3])
    #expect(try evaluate(Reduce(.product, axes: [0], keepDimensions: false), [x]).integers() == [-24])
    let truths = try integers([true, false, false, false], [2, 2])
    let any = try evaluate(Reduce(.any, axes: [1], keepDimensions: false), [truths])
    #expect(try any.elements(of: Bool.self) == [true, false])
    let all = try evaluate(Reduce(.all, axes: [1], keepDimensions: false), [truths])
    #expect(try all.elements(of: Bool.self) == [false, false])
  }

  @Test func emptyReductionsGiveTheNeutralElement() throws {
    let empty = try floats([], [2, 0])
    let reduce = { (kind: Reduce.Kind) in
      try evaluate(Reduce(kind, axes: [1], keepDimensions: false), [empty]).elements(of: Float.self)
    }
    #expect(try reduce(.sum) == [0, 0])
    #expect(try reduce(.product) == [1, 1])
    #expect(try reduce(.mean).allSatisfy(\.isNaN))
    let integersOfNone = try integers([Int32](), [2, 0])
    #expect(
      try evaluate(Reduce(.mean, axes: [1], keepDimensions: false), [integersOfNone]).integers() == [0, 0])
  }

  @Test func integerSumsWrapAndMeansDoNot() throws {
    let x = try integers([Int32.max, .max], [2])
    #expect(try evaluate(Reduce(.sum, axes: [0], keepDimensions: false), [x]).integers() == [-2])
    #expect(try evaluate(Reduce(.mean, axes: [0], keepDimensions: false), [x]).integers() == [Int(Int32.max)])
  }

  /// Signed bytes are unsigned ones less 128, and so are their sums when the zero points say so.
  @Test func signedSumsFollowUnsignedOnes() throws {
    var random = SeededRandom()
    let bytes = random.bytes(60)
    let operation = Reduce(.sum, axes: [0], keepDimensions: false)
    let unsigned = try evaluate(
      operation, [integers(bytes, [6, 10], scale: 0.05, zeroPoint: 131)],
      result: quantized(.uint8, scale: 0.13, zeroPoint: 99))
    let signed = try evaluate(
      operation, [integers(bytes.map { Int8(Int($0) - 128) }, [6, 10], scale: 0.05, zeroPoint: 3)],
      result: quantized(.int8, scale: 0.13, zeroPoint: -29))
    #expect(try signed.integers() == unsigned.integers().map { $0 - 128 })
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try floats([1, 2])
    #expect(try refusal(Reduce(.sum, axes: [1], keepDimensions: false), [x]).problem.contains("axis 1"))
    #expect(try refusal(Reduce(.any, axes: [0], keepDimensions: false), [x]).expected == "bool")
    let bytes = try integers([Int8(1)], scale: 1)
    let other = try quantized(.int8, scale: 2)
    #expect(
      try refusal(Reduce(.max, axes: [0], keepDimensions: false), [bytes], result: other).expected?.contains(
        "1.0")
        == true)
  }
}
