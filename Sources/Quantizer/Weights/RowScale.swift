/// The scale with which a row of weights loses least when it is brought to −127…127.
///
/// The error `Σ hₖ(wₖ − s·qₖ)²` is measured for scales from that of the largest magnitude down to
/// half of it: a smaller scale clips what is large and rounds the rest finer. With `hₖ`, the mean square of
/// what the weight is multiplied with, it is the error of the result if inputs are uncorrelated.
struct RowScale {
  let scale: Float
  /// `Σ hₖwₖ²` and `Σ hₖ(wₖ − s·qₖ)²`.
  let error: SignalToNoise
  /// The scale's share of that of the largest magnitude.
  let share: Float

  /// Shares of the full scale that are tried: close together near it, where most rows have their best.
  private static let shares =
    (1...20).map { 1 - 0.005 * Float($0) } + (1...20).map { 0.9 - 0.02 * Float($0) }

  /// - Parameter importance: `hₖ`, as many as weights.
  init(_ row: UnsafeBufferPointer<Float>, importance: UnsafeBufferPointer<Float>? = nil) {
    let largest = row.reduce(0) { max($0, abs($1)) }
    let full = largest / 127
    // A row of zeros, or of numbers so small that their scale has no reciprocal.
    guard full >= .leastNormalMagnitude else {
      scale = 1
      share = 1
      error = SignalToNoise()
      return
    }
    let weights = WeightVectors(row, importance, range: -127...127)
    var best = (share: Float(1), noise: weights.noise(full))
    for share in Self.shares {
      let noise = weights.noise(full * share)
      if noise < best.noise { best = (share, noise) }
    }
    scale = full * best.share
    share = best.share
    error = SignalToNoise(signal: weights.signal, noise: best.noise)
  }

  /// The integer for a weight.
  @inline(__always)
  static func quantum(_ weight: Float, inverse: Float) -> Float {
    // Adding 1.5 · 2²³ rounds to an integer, halves to even; results of interest are below 2²².
    let steps = max(-127, min(127, weight * inverse))
    return (steps + 12_582_912) - 12_582_912
  }
}
