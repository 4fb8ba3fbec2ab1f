import TensorCore

/// The scale with which a group of weights loses least when it is brought to −8…7.
///
/// The error `Σ (wₖ − s·qₖ)²` is measured for scales from that of the largest magnitude down to 0.6 of it, of both signs:
/// a negative one puts −8 on the side of the largest weight. Scales are numbers of float16 with the 8 significant bits of
/// bfloat16, so that readers have the same scale in either, and the same weight in float16 and float32.
struct GroupScale {
  let scale: Float
  /// `Σ wₖ²` and `Σ (wₖ − s·qₖ)²`.
  let error: SignalToNoise

  /// Shares of the full scale that are tried.
  private static let shares = (0...16).map { 1 - 0.025 * Float($0) }
  private static let range: ClosedRange<Float> = -8...7

  /// - Returns: nil where a weight is too large for float16.
  init?(_ group: UnsafeBufferPointer<Float>) {
    let full = group.reduce(0) { max($0, abs($1)) } / 7
    guard full * 8 <= Float(Float16.greatestFiniteMagnitude) else { return nil }
    let weights = WeightVectors(group, range: Self.range)
    // What becomes of weights that are all 0, or so small that their scale would be.
    var best = (scale: Float(1), noise: weights.signal)
    for share in Self.shares {
      let scale = Self.rounded(full * share)
      guard scale > 0 else { break }
      for scale in [scale, -scale] {
        let noise = weights.noise(scale)
        if noise < best.noise { best = (scale, noise) }
      }
    }
    scale = best.scale
    error = SignalToNoise(signal: weights.signal, noise: best.noise)
  }

  /// The nearest number of 8 significant bits, halves to even, that float16 has.
  private static func rounded(_ scale: Float) -> Float {
    Float(Float16(Float(BFloat16(scale))))
  }

  /// The integer for a weight.
  @inline(__always)
  static func quantum(_ weight: Float, inverse: Float) -> Float {
    // Adding 1.5 · 2²³ rounds to an integer, halves to even; results of interest are below 2²².
    let steps = max(range.lowerBound, min(range.upperBound, weight * inverse))
    return (steps + 12_582_912) - 12_582_912
  }
}
