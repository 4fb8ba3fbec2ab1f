/// How far the numbers of one value are from those of its counterpart in the baseline, over all samples.
public struct ValueDifference: Sendable, Hashable {
  /// The signal-to-quantization-noise ratio in dB, 10·log₁₀(Σa² / Σ(a − b)²) with a of the baseline: infinite when
  /// no number differs, −infinite where the baseline is zero throughout and the other is not, and where any number
  /// is ``notFinite``.
  public let signalToNoise: Double
  /// The cosine of the angle between the two, taken as vectors; NaN where any number is ``notFinite``.
  public let cosine: Double
  /// The factor that brings the baseline's numbers nearest to the other's, Σab / Σa²: 2 where they are doubled. NaN
  /// where any number is ``notFinite``.
  public let gain: Double
  /// The greatest absolute difference; infinite where any number is ``notFinite``.
  public let greatestError: Double
  /// The mean absolute difference; infinite where any number is ``notFinite``.
  public let meanError: Double
  /// The span from the baseline's least number to its greatest, to measure errors by.
  public let baselineRange: Double
  /// Numbers compared.
  public let count: Int
  /// Numbers that only one of the two has finite, or that are not the same infinity. Where there are any, no other
  /// figure says anything.
  public let notFinite: Int

  package init(
    signalToNoise: Double, cosine: Double, gain: Double, greatestError: Double, meanError: Double,
    baselineRange: Double, count: Int, notFinite: Int
  ) {
    self.signalToNoise = signalToNoise
    self.cosine = cosine
    self.gain = gain
    self.greatestError = greatestError
    self.meanError = meanError
    self.baselineRange = baselineRange
    self.count = count
    self.notFinite = notFinite
  }
}

extension ValueDifference {
  /// The greatest absolute difference as a part of the baseline's range.
  public var relativeGreatestError: Double { greatestError / max(baselineRange, .leastNormalMagnitude) }
}
