import func Foundation.logf
import TensorCore
import TestSupport
import Testing

import Graph

/// Normalisations along the last axis: their laws, and what they refuse.
@Suite struct NormalizationTests {
  @Test func softmaxOfEqualNumbersIsUniformAndSumsToOne() throws {
    let result = try evaluate(Softmax(), [floats([3, 3, 3, 3], [1, 4])])
    #expect(try result.elements(of: Float.self) == [0.25, 0.25, 0.25, 0.25])
    var random = SeededRandom()
    let rows = try evaluate(Softmax(beta: 0.7), [floats(random.floats(50, -90...90), [5, 10])])
    let elements = try rows.elements(of: Float.self)
    for row in 0..<5 {
      let sum: Float = elements[(row * 10)..<(row * 10 + 10)].reduce(0, +)
      #expect(abs(sum - 1) < 1e-6)
    }
  }

  /// A flat row of many bytes has shares below half a step, which the reference refuses to compute.
  @Test func sharesBelowHalfAStepAreZero() throws {
    let x = try integers([UInt8](repeating: 7, count: 1001), [1, 1001], scale: 0.01)
    let result = try evaluate(Softmax(), [x], result: quantized(.uint8, scale: 1.0 / 256))
    #expect(try result.elements(of: UInt8.self).allSatisfy { $0 == 0 })
  }

  @Test func logSoftmaxIsTheLogarithmOfSoftmax() throws {
    var random = SeededRandom()
    let x = try floats(random.floats(30, -5...5), [3, 10])
    let logarithms = try evaluate(LogSoftmax(), [x]).elements(of: Float.self)
    let shares = try evaluate(Softmax(), [x]).elements(of: Float.self)
    for (a, b) in zip(logarithms, shares) { #expect(abs(a - Foundation.logf(b)) < 1e-5) }
  }

  @Test func rowsHaveNormOne() throws {
    let result = try evaluate(L2Normalization(), [floats([3, 4, 0, 0], [2, 2])])
    #expect(try result.elements(of: Float.self) == [0.6, 0.8, 0, 0])
  }

  @Test func localResponseDividesByThePowerOfTheNeighbours() throws {
    let operation = LocalResponseNormalization(radius: 1, bias: 1, alpha: 1, beta: 1)
    let result = try evaluate(operation, [floats([1, 2, 3], [1, 3])])
    // The neighbours of x[i] are x[i − 1] and x[i] itself.
    for (a, b) in zip(try result.elements(of: Float.self), [1.0 / 2, 2.0 / 6, 3.0 / 14] as [Float]) {
      #expect(abs(a - b) < 1e-6)
    }
  }

  @Test func specialNumbersAndEmptyRowsDoNotTrap() throws {
    let special = try floats([.nan, .infinity, -.infinity, 0], [2, 2])
    for operation in [Softmax(), LogSoftmax(), L2Normalization()] as [any Operation] {
      #expect(try evaluate(operation, [special]).shape.dimensions == [2, 2])
      #expect(try evaluate(operation, [floats([], [2, 0])]).shape.dimensions == [2, 0])
      #expect(try refusal(operation, [floats([1], [])]).problem.contains("scalar"))
    }
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try integers([Int8(1), 2], scale: 0.1)
    #expect(try refusal(Softmax(), [x], result: quantized(.int8, scale: 0.5)).problem.contains("scale 0.5"))
    #expect(try refusal(Softmax(beta: .infinity), [try floats([1])]).problem.contains("beta"))
    #expect(
      try refusal(LogSoftmax(), [x], result: quantized(.int8, scale: 0.5)).problem.contains("scale 0.5"))
    #expect(try refusal(L2Normalization(), [x], result: quantized(.int8, scale: 0.5)).problem.contains("0.5"))
    let fine = try integers([Int8(1), 2], scale: 1e-12)
    let shares = try quantized(.int8, scale: 1.0 / 256, zeroPoint: -128)
    #expect(try refusal(Softmax(), [fine], result: shares).problem.contains("1e-12"))
  }
}
