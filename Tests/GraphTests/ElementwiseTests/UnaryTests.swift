import Foundation
import Graph
import TensorCore
import Testing

/// Unary operations worked by hand, and what they refuse.
@Suite struct UnaryTests {
  @Test func roundingGoesToTheEvenNeighbour() throws {
    let rounded = try evaluate(UnaryMath(.round), [floats([0.5, 1.5, 2.5, -0.5, -1.5, 2.4])])
    #expect(try rounded.elements(of: Float.self) == [0, 2, 2, 0, -2, 2])
  }

  @Test func theLeastIntegerHasNoPositiveTwin() throws {
    let least = try integers([Int32.min, -3, 4])
    #expect(try evaluate(UnaryMath(.abs), [least]).elements(of: Int32.self) == [.min, 3, 4])
    #expect(try evaluate(UnaryMath(.negate), [least]).elements(of: Int32.self) == [.min, 3, -4])
    #expect(
      try evaluate(UnaryMath(.negate), [integers([Int8.min, 1])]).elements(of: Int8.self) == [.min, -1])
  }

  @Test func signsOfZerosAndNaN() throws {
    let signs = try evaluate(UnaryMath(.sign), [floats([-2, 0, 7, .nan])]).elements(of: Float.self)
    #expect(Array(signs.prefix(3)) == [-1, 0, 1])
    #expect(signs[3].isNaN)
  }

  @Test func rootsOfNegativeQuantizedNumbersAreErrors() throws {
    let x = try integers([Int8(5), -5], scale: 1)
    let result = try quantized(.int8, scale: 0.1)
    #expect(try refusal(UnaryMath(.sqrt), [x], result: result).problem.contains("element 1"))
    #expect(try refusal(UnaryMath(.rsqrt), [x], result: result).problem.contains("element 1"))
  }

  /// The logarithm of what is not positive is the least number that the result can hold.
  @Test func quantizedLogarithmsOfNothingAreTheLeastNumber() throws {
    let x = try integers([Int8(0), -9, 1], scale: 1)
    let result = try evaluate(UnaryMath(.log), [x], result: quantized(.int8, scale: 0.1))
    #expect(try result.elements(of: Int8.self) == [-128, -128, 0])
  }

  @Test func everyFunctionTakesSpecialNumbers() throws {
    let special = try floats([
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0,
    ])
    let functions: [UnaryMath.Function] = [
      .abs, .negate, .exp, .log, .sqrt, .rsqrt, .square, .sin, .cos, .floor, .ceil, .round, .sign,
    ]
    for function in functions {
      #expect(try evaluate(UnaryMath(function), [special]).shape.dimensions == [6], "\(function)")
    }
  }

  @Test func refusalsSayWhatIsWrong() throws {
    #expect(try refusal(UnaryMath(.sin), [try integers([Int32(1)])]).expected == "float32")
    #expect(try refusal(UnaryMath(.exp), [try integers([Int8(1)])]).problem.contains("no scale"))
    let odd = try integers([Int16(1)], scale: 1, zeroPoint: 3)
    #expect(try refusal(UnaryMath(.exp), [odd], result: quantized(.int16, scale: 1)).expected == "0")
  }
}
