import Glibc

/// Quantization of activations as they come, by TFLite's rules for hybrid operators.
package enum DynamicQuantization {
  /// What the integers stand for: `real = scale × (stored − zeroPoint)`.
  package struct Parameters: Sendable {
    package let scale: Float
    package let zeroPoint: Int32
    /// What values are multiplied by before rounding: not always the reciprocal of `scale` to the last bit.
    let inverse: Float
    let limit: ClosedRange<Int32>

    /// With −127…127 for the largest magnitude, zero at 0.
    package static func symmetric(_ values: UnsafeBufferPointer<Float>) -> Parameters {
      let (low, high) = DynamicQuantization.range(values)
      let magnitude = max(abs(low), abs(high))
      guard magnitude > 0, magnitude.isFinite else {
        return Parameters(scale: 1, zeroPoint: 0, inverse: 0, limit: 0...0)
      }
      return Parameters(scale: magnitude / 127, zeroPoint: 0, inverse: 127 / magnitude, limit: -127...127)
    }

    /// With −128…127 for the range of the values and zero; zero falls on an integer.
    package static func asymmetric(_ values: UnsafeBufferPointer<Float>) -> Parameters {
      let (low, high) = DynamicQuantization.range(values)
      let minimum = min(0, low)
      let maximum = max(0, high)
      guard minimum != maximum, (maximum - minimum).isFinite else {
        return Parameters(scale: 1, zeroPoint: 0, inverse: 0, limit: 0...0)
      }
      // The reference subtracts in float32, and does the rest in float64.
      let scale = Double(maximum - minimum) / 255
      let below = Double(minimum) / scale
      let above = Double(maximum) / scale
      // The end whose error is smaller decides where zero falls.
      let zero = 128 + abs(below) < 127 + abs(above) ? -128 - below : 127 - above
      let zeroPoint = Int32(max(-128, min(127, zero.rounded(.toNearestOrAwayFromZero))))
      return Parameters(
        scale: Float(scale), zeroPoint: zeroPoint, inverse: 1 / Float(scale), limit: -128...127)
    }

    /// The integer for one value; NaN becomes the lowest.
    @inline(__always)
    package func quantize(_ value: Float) -> Int32 {
      let scaled = Float(zeroPoint) + (value * inverse).rounded(.toNearestOrAwayFromZero)
      let low = Float(limit.lowerBound)
      let high = Float(limit.upperBound)
      return Int32(scaled > low ? (scaled < high ? scaled : high) : low)
    }
  }

  private static func range(_ values: UnsafeBufferPointer<Float>) -> (low: Float, high: Float) {
    var low = values.first ?? 0
    var high = low
    for value in values {
      low = value < low ? value : low
      high = value > high ? value : high
    }
    return (low, high)
  }
}
