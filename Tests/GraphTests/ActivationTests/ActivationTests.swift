import func Foundation.tanh
import TensorCore
import Testing

import Graph

/// Activations worked by hand, their laws, and what they refuse.
@Suite struct ActivationTests {
  private static let line = (-80...80).map { Float($0) / 10 }

  @Test func rectifiersClamp() throws {
    let x = try floats([-2, -0.5, 0.5, 2, 7, .infinity])
    #expect(try evaluate(Relu(.relu), [x]).elements(of: Float.self) == [0, 0, 0.5, 2, 7, .infinity])
    #expect(try evaluate(Relu(.relu6), [x]).elements(of: Float.self) == [0, 0, 0.5, 2, 6, 6])
    #expect(try evaluate(Relu(.reluN1To1), [x]).elements(of: Float.self) == [-1, -0.5, 0.5, 1, 1, 1])
    #expect(try evaluate(Relu(.relu0To1), [x]).elements(of: Float.self) == [0, 0, 0.5, 1, 1, 1])
    #expect(try evaluate(LeakyRelu(alpha: 0.5), [x]).elements(of: Float.self)[0] == -1)
    #expect(try evaluate(PRelu(), [x, floats([0.25])]).elements(of: Float.self)[0] == -0.5)
  }

  @Test func rectifiersKeepNaN() throws {
    for interval in [Relu.Interval.relu, .relu6, .reluN1To1, .relu0To1] {
      #expect(try evaluate(Relu(interval), [floats([.nan])]).elements(of: Float.self)[0].isNaN)
    }
  }

  @Test func smoothFunctionsHaveTheirSymmetries() throws {
    let x = try floats(Self.line)
    let mirrored = try floats(Self.line.map { -$0 })
    let pairs = { (operation: any Operation) in
      try zip(
        evaluate(operation, [x]).elements(of: Float.self),
        evaluate(operation, [mirrored]).elements(of: Float.self))
    }
    for (a, b) in try pairs(Logistic()) { #expect(abs(a + b - 1) < 1e-6) }
    for (a, b) in try pairs(Tanh()) { #expect(a == -b) }
    // x Φ(x) − (−x) Φ(−x) = x.
    for (index, (a, b)) in try pairs(Gelu(.exact)).enumerated() {
      #expect(abs(a - b - Self.line[index]) < 1e-5)
    }
    for (a, b) in zip(
      try evaluate(Gelu(.tanh), [x]).elements(of: Float.self),
      try evaluate(Gelu(.exact), [x]).elements(of: Float.self))
    {
      #expect(abs(a - b) < 1e-3)
    }
  }

  @Test func hardSwishIsZeroBelowMinusThreeAndTheIdentityAboveThree() throws {
    let result = try evaluate(HardSwish(), [floats([-4, -3, 0, 3, 5])])
    #expect(try result.elements(of: Float.self) == [0, 0, 0, 3, 5])
  }

  /// A table of 8-bit results is within one step of the real function.
  @Test func quantizedTanhIsWithinAStep() throws {
    let stored = (-128...127).map { Int8($0) }
    let result = try evaluate(
      Tanh(), [integers(stored, scale: 0.03)], result: quantized(.int8, scale: 1.0 / 128))
    for (x, y) in zip(stored, try result.elements(of: Int8.self)) {
      let real = min(127, Foundation.tanh(0.03 * Double(x)) * 128)
      #expect(abs(Double(y) - real) <= 0.5001)
    }
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try integers([Int8(1)], scale: 1)
    #expect(try refusal(Logistic(), [x], result: quantized(.int8, scale: 0.5)).expected == "1/256")
    let word = try integers([Int16(1)], scale: 0.001)
    #expect(try refusal(Tanh(), [word], result: quantized(.int16, scale: 0.5)).expected == "1/32768")
    #expect(try refusal(LeakyRelu(alpha: .nan), [try floats([1])]).problem.contains("alpha"))
    let slopes = try floats([1, 2, 3])
    #expect(try refusal(PRelu(), [try floats([1]), slopes]).expected == "slopes that broadcast to the input")
    let steep = try quantized(.int8, scale: 0.0001)
    #expect(try refusal(HardSwish(), [x], result: steep).problem.contains("scale"))
  }
}
