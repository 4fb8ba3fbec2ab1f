import CLibrary

/// Exact tests of counts.
package enum BinomialTest {
  /// The probability of a division of `count` fair coin throws at least as uneven as `successes` to the rest.
  /// Two-sided; 1 for no throws.
  package static func evenOdds(_ successes: Int, of count: Int) -> Double {
    let fewer = min(successes, count - successes)
    guard fewer >= 0, 2 * fewer < count else { return 1 }
    return min(1, 2 * atMost(fewer, of: count))
  }

  /// The probability of at most `successes` heads in `count` fair coin throws: C(n, k) / 2ⁿ for the greatest k,
  /// from its logarithm, and each term before it from the one after.
  private static func atMost(_ successes: Int, of count: Int) -> Double {
    var logarithm = -Double(count) * log(2)
    for k in stride(from: 1, through: successes, by: 1) {
      logarithm += log(Double(count - k + 1)) - log(Double(k))
    }
    var term = exp(logarithm)
    var sum = term
    for k in stride(from: successes, to: 0, by: -1) {
      term *= Double(k) / Double(count - k + 1)
      sum += term
    }
    return sum
  }
}
