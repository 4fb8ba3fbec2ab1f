import CLibrary
import TensorCore

/// The logistic function and the hyperbolic tangent of int16 numbers, by one table of the former.
///
/// Sample *i* is the logistic function of *i*/24 in 16 fraction bits, less half of what linear interpolation
/// would be over midway to the next sample. Source: TFLite's reference `Logistic` and `Tanh` for int16.
struct SigmoidTable: Sendable {
  enum Function: Sendable { case logistic, tanh }

  private static let samples: [UInt16] = (0..<256).map { index in
    let value = { (x: Double) in 65536 / (1 + CLibrary.exp(-x / 24)) }
    let x = Double(index)
    let error = (value(x) + value(x + 1)) / 2 - value(x + 0.5)
    return index == 255 ? .max : UInt16((value(x) - error / 2).rounded())
  }

  private let function: Function
  /// The operand is brought to steps of 1/(3 × 4096).
  private let multiplier: Int32
  private let leftShift: Int32

  /// - Throws: ``ApusError`` when a zero point is not 0 or the result's scale is not 2⁻¹⁵.
  init(_ function: Function, _ input: TensorType, _ result: TensorType) throws(ApusError) {
    let from = try input.uniformQuantization("the input")
    let to = try result.uniformQuantization("the result")
    guard PowerOfTwoAddition.exponent(of: to.scale) == -15 else {
      throw ApusError(.unsupportedModel, "an int16 result of scale \(to.scale)", expected: "1/32768")
    }
    self.function = function
    if let exponent = PowerOfTwoAddition.exponent(of: from.scale),
      exponent == -12 || (exponent == -11 && function == .tanh)
    {
      multiplier = 3 << (exponent + 12)
      leftShift = 0
      return
    }
    var real = Double(from.scale) * 4096 * 3
    var shift: Int32 = 0
    while real <= 32767.0 / 2, shift <= 30 {
      shift += 1
      real *= 2
    }
    multiplier = Int32(wholeOf: real)
    leftShift = shift
  }

  var body: Lowering.Body {
    let table = self
    let samples = Self.samples
    return { arguments in
      samples.withUnsafeBufferPointer { samples in
        switch table.function {
        case .logistic:
          arguments.map { $0.apply { (value: Int16) -> Int16 in table.logistic(value, samples) } }
        case .tanh: arguments.map { $0.apply { (value: Int16) -> Int16 in table.tanh(value, samples) } }
        }
      }
    }
  }

  @inline(__always)
  private func scaled(_ value: Int16) -> Int32 {
    let half: Int32 = leftShift > 0 ? 1 &<< (leftShift &- 1) : 0
    return (Int32(value) &* multiplier &+ half) &>> leftShift
  }

  @inline(__always)
  private func logistic(_ value: Int16, _ samples: UnsafeBufferPointer<UInt16>) -> Int16 {
    let x = scaled(value)
    let magnitude = x.magnitude
    let index = Int(magnitude >> 9)
    var result: UInt32 = 0x7FFF << 10
    if index < 255 {
      let start = UInt32(samples[index])
      result = (start << 9) &+ (magnitude & 0x1FF) &* (UInt32(samples[index + 1]) &- start)
    }
    result = x >= 0 ? result &+ (1 << 9) : (1 << 25) &- result &+ (1 << 9) &- 1
    return Int16(truncatingIfNeeded: result >> 10)
  }

  @inline(__always)
  private func tanh(_ value: Int16, _ samples: UnsafeBufferPointer<UInt16>) -> Int16 {
    let x = scaled(value)
    let magnitude = x.magnitude
    let index = Int(magnitude >> 8)
    var result: Int32 = 0xFFFF << 8
    if index < 255 {
      let start = Int32(samples[index])
      result = (start << 8) &+ Int32(magnitude & 0xFF) &* (Int32(samples[index + 1]) &- start)
    }
    result =
      x >= 0 ? result &- (1 << 23) &+ (1 << 7) : 0 &- result &+ (1 << 23) &+ (1 << 7) &- 1
    return Int16(truncatingIfNeeded: result >> 8)
  }
}
