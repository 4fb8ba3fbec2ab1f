import CLibrary

/// The interval of a median that asks nothing of the distribution.
package enum SignInterval {
  /// The place, from 0, in the order of `count` values of the interval's lower end; its upper end stands as far from the
  /// last. It is the greatest for which fewer than 2.5 % of fair throws fall so unevenly, so that the confidence is at
  /// least 95 %. Nil below six values, for which there is none.
  package static func places(of count: Int) -> Int? {
    guard count >= 6 else { return nil }
    // C(n, k) / 2ⁿ from its logarithm, for 2ⁿ itself may be too large.
    var logarithm = -Double(count) * log(2)
    var sum = 0.0
    for place in 0..<count / 2 {
      sum += exp(logarithm)
      if sum > 0.025 { return max(0, place - 1) }
      logarithm += log(Double(count - place)) - log(Double(place + 1))
    }
    return count / 2 - 1
  }
}
