import Graph
import TensorCore
import TestSupport
import Testing

/// Layer normalisation: its law, its constants' types, and what it refuses.
@Suite struct LayerNormalizationTests {
  @Test func rowsHaveMeanZeroAndVarianceOne() throws {
    var random = SeededRandom()
    let width = 50
    let x = try floats(random.floats(4 * width, 3...9), [2, 2, width])
    let ones = try floats([Float](repeating: 1, count: width))
    let zeros = try floats([Float](repeating: 0, count: width))
    let result = try evaluate(LayerNormalization(epsilon: 0), [x, ones, zeros])
    #expect(result.shape.dimensions == [2, 2, width])
    let elements = try result.elements(of: Float.self)
    for row in 0..<4 {
      let numbers = elements[row * width..<(row + 1) * width].map(Double.init)
      #expect(abs(numbers.reduce(0, +)) / Double(width) < 1e-6)
      #expect(abs(numbers.reduce(0) { $0 + $1 * $1 } / Double(width) - 1) < 1e-6)
    }
  }

  /// Row 1, 2, 3, 6: mean 3, variance 3.5; with ε = 0.5 the deviation is 2.
  @Test(arguments: [DataType.float32, .float16, .bfloat16])
  func constantsOfEveryFloatType(_ type: DataType) throws {
    let x = try floats([1, 2, 3, 6])
    let scale = try stored([2, 1, 1, 4], type)
    let offset = try stored([0, 0.5, 0, -1], type)
    let result = try evaluate(LayerNormalization(epsilon: 0.5), [x, scale, offset])
    #expect(try result.elements(of: Float.self) == [-2, 0, 0, 5])
  }

  @Test func threadsDoNotMatter() throws {
    var random = SeededRandom()
    let operands = try [
      floats(random.floats(300 * 70), [300, 70]), floats(random.floats(70)), floats(random.floats(70)),
    ]
    let one = try evaluate(LayerNormalization(epsilon: 1e-6), operands)
    let four = try evaluate(LayerNormalization(epsilon: 1e-6), operands, threads: 4)
    #expect(try one.elements(of: Float.self) == four.elements(of: Float.self))
  }

  @Test func emptyRowsAreEmpty() throws {
    let none = try floats([], [0])
    let result = try evaluate(LayerNormalization(epsilon: 1e-6), [floats([], [3, 0]), none, none])
    #expect(result.shape.dimensions == [3, 0])
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try floats([1, 2, 3, 4], [2, 2])
    let pair = try floats([1, 1])
    let operation = LayerNormalization(epsilon: 1e-5)
    #expect(
      try refusal(operation, [x, floats([1, 1, 1]), pair]).expected == "[2], the last dimension of [2, 2]")
    #expect(try refusal(operation, [x, pair, floats([1, 1], [1, 2])]).problem.contains("the offset"))
    #expect(try refusal(operation, [x, integers([Int32(1), 1]), pair]).problem.contains("int32"))
    #expect(try refusal(operation, [x, pair]).expected == "3")
    #expect(try refusal(operation, [floats([1], []), pair, pair]).problem.contains("scalar"))
    for epsilon in [-1, .nan, .infinity] as [Float] {
      #expect(try refusal(LayerNormalization(epsilon: epsilon), [x, pair, pair]).problem.contains("epsilon"))
    }
  }
}

/// A tensor of numbers stored as a float type, exactly.
func stored(_ numbers: [Float], _ type: DataType, _ shape: [Int]? = nil) throws -> Tensor {
  let shape = try Shape(shape ?? [numbers.count])
  guard type != .float32 else { return try Tensor(numbers, shape: shape) }
  let bits = numbers.map { type == .float16 ? Float16($0).bitPattern : UInt16($0.bitPattern >> 16) }
  return try Tensor(bits, shape: shape).reinterpreted(as: TensorType(type, shape))
}
