/// Numbers of successes in strata of equal chance.
enum BinomialStrata {
  /// The number in the middle of each stratum, ascending.
  /// - Parameters:
  ///   - count: trials, at least 1.
  ///   - chance: of a success, from 0 to 1.
  ///   - strata: at least 1.
  static func successes(of count: Int, chance: Double, strata: Int) -> [Int] {
    guard chance > 0, chance < 1 else { return Array(repeating: chance > 0 ? count : 0, count: strata) }
    let mode = min(count, Int(Double(count + 1) * chance))
    let (below, above) = shares(beside: mode, of: count, odds: chance / (1 - chance))
    let shares = below.reversed() + [1] + above
    let total = shares.reduce(0, +)
    var (place, sum) = (0, shares[0])
    return (0..<strata).map { stratum in
      let middle = (Double(stratum) + 0.5) / Double(strata) * total
      while sum < middle, place < shares.count - 1 {
        place += 1
        sum += shares[place]
      }
      return mode - below.count + place
    }
  }

  /// How likely other numbers are against the likeliest, from there outwards, as far as that counts.
  private static func shares(
    beside mode: Int, of count: Int, odds: Double
  ) -> (below: [Double], above: [Double]) {
    let negligible = 1e-17
    var (below, above): ([Double], [Double]) = ([], [])
    var share = 1.0
    for k in mode..<count where share > negligible {
      share *= Double(count - k) / Double(k + 1) * odds
      above.append(share)
    }
    share = 1
    for k in stride(from: mode, to: 0, by: -1) where share > negligible {
      share *= Double(k) / Double(count - k + 1) / odds
      below.append(share)
    }
    return (below, above)
  }
}
