import CIntrinsics

/// Quantization of activations as they come, by TFLite's rules for hybrid operators.
package enum DynamicQuantization {
  /// How many numbers are worth a thread of their own: some microseconds' work.
  package static let grain = 1 << 14

  /// What the integers stand for: `real = scale × (stored − zeroPoint)`.
  package struct Parameters: Sendable {
    package let scale: Float
    package let zeroPoint: Int32
    /// What values are multiplied by before rounding: not always the reciprocal of `scale` to the last bit.
    let inverse: Float
    let limit: ClosedRange<Int32>

    /// With −127…127 for the largest magnitude, zero at 0.
    package static func symmetric(
      _ values: UnsafeBufferPointer<Float>, _ kernels: ApusIntegerKernels
    ) -> Parameters {
      let (low, high) = DynamicQuantization.range(values, kernels)
      let magnitude = max(abs(low), abs(high))
      guard magnitude > 0, magnitude.isFinite else {
        return Parameters(scale: 1, zeroPoint: 0, inverse: 0, limit: 0...0)
      }
      return Parameters(scale: magnitude / 127, zeroPoint: 0, inverse: 127 / magnitude, limit: -127...127)
    }

    /// With −128…127 for the range of the values and zero; zero falls on an integer.
    package static func asymmetric(
      _ values: UnsafeBufferPointer<Float>, _ kernels: ApusIntegerKernels
    ) -> Parameters {
      let (low, high) = DynamicQuantization.range(values, kernels)
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

    /// What steps are limited to, so that the zero point may be added to them.
    private var lowest: Float { Float(limit.lowerBound - zeroPoint) }
    private var highest: Float { Float(limit.upperBound - zeroPoint) }

    /// The integers for as many values; NaN becomes the lowest.
    package func quantize(
      _ values: UnsafeBufferPointer<Float>, to stored: UnsafeMutableRawPointer, _ kernels: ApusIntegerKernels
    ) {
      guard let source = values.baseAddress else { return }
      kernels.quantizeSteps(source, stored, values.count, inverse, lowest, highest, zeroPoint)
    }

    /// The integers less the zero point, in float32.
    package func countSteps(
      _ values: UnsafeBufferPointer<Float>, to steps: UnsafeMutablePointer<Float>,
      _ kernels: ApusIntegerKernels
    ) {
      guard let source = values.baseAddress else { return }
      kernels.countSteps(source, steps, values.count, inverse, lowest, highest)
    }
  }

  private static func range(
    _ values: UnsafeBufferPointer<Float>, _ kernels: ApusIntegerKernels
  ) -> (low: Float, high: Float) {
    guard let source = values.baseAddress, !values.isEmpty else { return (0, 0) }
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: 2) { result in
      guard let ends = result.baseAddress else { return (0, 0) }
      kernels.range(source, values.count, ends)
      return (ends[0], ends[1])
    }
  }
}
