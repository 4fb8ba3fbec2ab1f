import CLibrary

/// The standard normal distribution.
package enum NormalDistribution {
  /// The probability of a number above `z`.
  package static func upperTail(_ z: Double) -> Double { erfc(z / 2.0.squareRoot()) / 2 }

  /// The probability of a number as far from 0 as `z`, on either side.
  package static func twoSided(_ z: Double) -> Double { min(1, erfc(abs(z) / 2.0.squareRoot())) }

  /// The number that a share `p` of all numbers is below.
  /// - Parameter p: above 0 and below 1; of others the number that is nearest.
  package static func quantile(_ p: Double) -> Double {
    // In the lower half the tail keeps all its digits.
    if p > 0.5 { return -quantile(1 - p) }
    var (lower, upper) = (-38.0, 0.0)
    for _ in 0..<80 {
      let middle = (lower + upper) / 2
      if upperTail(-middle) < p { lower = middle } else { upper = middle }
    }
    return (lower + upper) / 2
  }

  /// How many deviations an interval of such a confidence reaches to each side: 1.96 for 0.95.
  package static func reach(_ confidence: Double) -> Double {
    confidence == 0.95 ? 1.959963984540054 : -quantile((1 - confidence) / 2)
  }
}
