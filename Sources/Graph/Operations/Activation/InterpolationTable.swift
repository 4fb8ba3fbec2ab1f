import TensorCore

/// A function of one int16 operand with an int16 result, as 513 samples between which a run interpolates.
///
/// Each sample is moved by half the error that interpolation makes midway to the next one. Source: TFLite's
/// `LUTPopulate` and `LUTLookup` for int16.
struct InterpolationTable: Sendable {
  private let samples: [Int16]

  /// - Parameter function: the real function that is sampled in the arithmetic of `Real`.
  init<Real: BinaryFloatingPoint>(
    inputScale: Real, inputZeroPoint: Int32, outputScale: Real, outputZeroPoint: Int32,
    _ function: (Real) -> Real
  ) {
    let inputMinimum = inputScale * Real(Int32(Int16.min) - inputZeroPoint)
    let inputMaximum = inputScale * Real(Int32(Int16.max) - inputZeroPoint)
    let outputMinimum = outputScale * Real(Int32(Int16.min) - outputZeroPoint)
    let outputMaximum = outputScale * Real(Int32(Int16.max) - outputZeroPoint)
    let step = (inputMaximum - inputMinimum) / 512
    let inverse = Real(65536) / (outputMaximum - outputMinimum)
    var samples = (0..<512).map { index -> Int16 in
      let start = inputMinimum + Real(index) * step
      let next = function(inputMinimum + Real(index + 1) * step) * inverse
      let sample = Self.round(function(start) * inverse)
      let midway = Self.round(function(start + step / 2) * inverse)
      let error = Self.round((next + sample) / 2) - midway
      return Self.stored(sample - Self.round(error / 2))
    }
    samples.append(Self.stored(Self.round(function(inputMaximum) * inverse)))
    self.samples = samples
  }

  /// A real function between two quantized types, computed in single precision.
  init(_ input: TensorType, _ result: TensorType, real function: (Float) -> Float) throws(ApusError) {
    let from = try input.uniformQuantization("the input")
    let to = try result.uniformQuantization("the result")
    self.init(
      inputScale: from.scale, inputZeroPoint: from.zeroPoint, outputScale: to.scale,
      outputZeroPoint: to.zeroPoint, function)
  }

  private static func round<Real: BinaryFloatingPoint>(_ value: Real) -> Real {
    value.rounded(.toNearestOrAwayFromZero)
  }

  private static func stored<Real: BinaryFloatingPoint>(_ value: Real) -> Int16 {
    value.isNaN ? 0 : Int16(min(max(value, -32768), 32767))
  }

  /// The 513 samples, for ``lookUp(_:in:)``.
  func withSamples<Result>(_ body: (UnsafeBufferPointer<Int16>) -> Result) -> Result {
    samples.withUnsafeBufferPointer(body)
  }

  @inline(__always)
  static func lookUp(_ value: Int16, in samples: UnsafeBufferPointer<Int16>) -> Int16 {
    let index = 256 + Int(value >> 7)
    let base = samples[index]
    let slope = Int32(samples[index + 1] &- base)
    return base &+ Int16(truncatingIfNeeded: (slope * Int32(value & 0x7F) + 64) >> 7)
  }

  /// The body of a node that applies the table to operand 0.
  var body: Lowering.Body {
    let table = self
    return { arguments in
      table.withSamples { samples in
        arguments.map { $0.apply { (value: Int16) -> Int16 in Self.lookUp(value, in: samples) } }
      }
    }
  }
}
