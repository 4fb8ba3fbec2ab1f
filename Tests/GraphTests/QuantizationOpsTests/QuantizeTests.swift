import Graph
import TensorCore
import Testing

/// Quantization and its inverse worked by hand, their law, and what they refuse.
@Suite struct QuantizeTests {
  @Test func halvesGoAwayFromZeroAndTheRestClamps() throws {
    let x = try floats([0.25, -0.25, 0.75, 1000, -1000, 0])
    let result = try evaluate(Quantize(), [x], result: quantized(.int8, scale: 0.5, zeroPoint: 10))
    #expect(try result.elements(of: Int8.self) == [11, 9, 12, 127, -128, 10])
  }

  @Test func notANumberAndInfinityDoNotTrap() throws {
    let x = try floats([.nan, .infinity, -.infinity])
    let result = try evaluate(Quantize(), [x], result: quantized(.uint8, scale: 0.5, zeroPoint: 10))
    #expect(try result.elements(of: UInt8.self).count == 3)
  }

  /// Every stored number survives the way to a real number and back.
  @Test func quantizeUndoesDequantize() throws {
    let stored = (0...255).map { UInt8($0) }
    let x = try integers(stored, scale: 0.037, zeroPoint: 91)
    let real = try evaluate(Dequantize(), [x])
    #expect(try real.elements(of: Float.self)[91] == 0)
    let back = try evaluate(Quantize(), [real], result: quantized(.uint8, scale: 0.037, zeroPoint: 91))
    #expect(try back.elements(of: UInt8.self) == stored)
  }

  @Test func signedAndUnsignedBytesOfOneScaleDifferBy128() throws {
    let x = try integers((0...255).map { UInt8($0) }, scale: 0.5, zeroPoint: 128)
    let result = try evaluate(Quantize(), [x], result: quantized(.int8, scale: 0.5))
    #expect(try result.elements(of: Int8.self) == (-128...127).map { Int8($0) })
  }

  @Test func eachChannelHasItsScale() throws {
    let type = TensorType(
      .int8, .scalar, quantization: try Quantization(scales: [1, 2], zeroPoints: [0, 1], axis: 0))
    let result = try evaluate(Quantize(), [floats([4, 6, 4, 6], [2, 2])], result: type)
    #expect(try result.elements(of: Int8.self) == [4, 6, 3, 4])
    #expect(try evaluate(Dequantize(), [result]).elements(of: Float.self) == [4, 6, 4, 6])
  }

  @Test func halfPrecisionIsExact() throws {
    let patterns = Array(UInt16.min...UInt16.max)
    let type = TensorType(.float16, .vector(patterns.count))
    let halves = try Tensor(patterns, shape: type.shape).reinterpreted(as: type)
    let result = try evaluate(Dequantize(), [halves]).elements(of: Float.self)
    for (bits, found) in zip(patterns, result) {
      let magnitude = Int(bits & 0x3FF)
      let exponent = Int(bits >> 10) & 31
      let sign: Double = bits >> 15 == 1 ? -1 : 1
      if exponent == 31 {
        #expect(magnitude == 0 ? Double(found) == sign * .infinity : found.isNaN)
      } else {
        let scale = Double(sign: .plus, exponent: max(exponent, 1) - 25, significand: 1)
        #expect(Double(found) == sign * Double(exponent == 0 ? magnitude : magnitude + 1024) * scale)
      }
    }
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try floats([1, 2])
    #expect(try refusal(Quantize(), [x]).problem.contains("no declared type"))
    #expect(
      try refusal(Quantize(), [x], result: TensorType(.int8, .scalar)).problem.contains("without scale"))
    #expect(
      try refusal(Quantize(), [x], result: quantized(.uint8, scale: 1, zeroPoint: -1)).expected == "0 to 255")
    let threeScales = TensorType(
      .int8, .scalar, quantization: try Quantization(scales: [1, 1, 1], zeroPoints: [0, 0, 0], axis: 0))
    #expect(try refusal(Quantize(), [x], result: threeScales).expected == "2")
    #expect(try refusal(Dequantize(), [try integers([Int8(1)])]).problem.contains("without scale"))
    let backwards = FakeQuantize(minimum: 1, maximum: -1, bitCount: 8, narrowRange: false)
    #expect(try refusal(backwards, [x]).kind == .malformedModel)
  }
}
