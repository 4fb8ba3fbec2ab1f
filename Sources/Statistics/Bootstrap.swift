import CLibrary

/// Intervals of statistics for which there is no formula, from samples drawn of the samples.
package enum Bootstrap {
  /// Blocks of units that are left out in turn, where there are more units.
  private static let leftOut = 500

  /// The bias-corrected and accelerated interval of 95 % (Efron, "Better bootstrap confidence intervals", Journal of the
  /// American Statistical Association 82, 1987): quantiles of the statistic over resamples, moved for its bias and for how
  /// its spread changes with its value. It reaches to the estimate where that would be left
  /// outside. The acceleration is that of a jackknife over units, or over 500 blocks of them.
  /// - Parameters:
  ///   - groups: the group of each sample, numbered from 0 without gaps: groups are drawn whole (Field and Welsh 2007).
  ///     Nil where every sample stands alone.
  ///   - count: samples.
  ///   - resamples: how many are drawn.
  ///   - seed: what they are drawn from.
  ///   - statistic: of samples, each of which is there so many times.
  /// - Returns: nil where all resamples give one number: they do not tell how far it is from the true one.
  package static func interval(
    of count: Int, groups: [Int]? = nil, resamples: Int, seed: UInt64, statistic: (_ times: [Int]) -> Double
  ) -> Interval? {
    guard count > 0, resamples > 0 else { return nil }
    let units = groups.map { Units($0) }
    let unitCount = units?.count ?? count
    let estimate = statistic([Int](repeating: 1, count: count))
    var random = SplitMix64(seed: seed)
    var times = [Int](repeating: 0, count: count)
    var values: [Double] = []
    values.reserveCapacity(resamples)
    for _ in 0..<resamples {
      for index in times.indices { times[index] = 0 }
      for _ in 0..<unitCount {
        let unit = random.index(below: unitCount)
        if let units { for member in units[unit] { times[member] += 1 } } else { times[unit] += 1 }
      }
      values.append(statistic(times))
    }
    values.sort()
    guard values.first != values.last else { return nil }

    let below = Double(values.count { $0 < estimate }) + Double(values.count { $0 == estimate }) / 2
    let share = min(max(below, 0.5), Double(resamples) - 0.5) / Double(resamples)
    let bias = NormalDistribution.quantile(share)
    let acceleration = acceleration(unitCount, count, units, statistic)
    func end(_ z: Double) -> Double {
      let moved = bias + (bias + z) / max(1 - acceleration * (bias + z), 1e-9)
      return values.quantileOfSorted(1 - NormalDistribution.upperTail(moved))
    }
    let reach = NormalDistribution.reach(0.95)
    return Interval(lower: min(end(-reach), estimate), upper: max(end(reach), estimate))
  }

  /// A sixth of the skewness of the statistic when one block after the other is left out.
  private static func acceleration(
    _ unitCount: Int, _ count: Int, _ units: Units?, _ statistic: ([Int]) -> Double
  ) -> Double {
    let blocks = min(unitCount, leftOut)
    guard blocks > 1 else { return 0 }
    var times = [Int](repeating: 1, count: count)
    let values = (0..<blocks).map { block in
      let range = (block * unitCount / blocks)..<((block + 1) * unitCount / blocks)
      let members = range.flatMap { unit in units.map { $0[unit] } ?? [unit] }
      for member in members { times[member] = 0 }
      defer { for member in members { times[member] = 1 } }
      return statistic(times)
    }
    let mean = values.mean
    let (squares, cubes) = values.reduce((0.0, 0.0)) { sums, value in
      let distance = mean - value
      return (sums.0 + distance * distance, sums.1 + distance * distance * distance)
    }
    return squares > 0 ? cubes / (6 * squares * squares.squareRoot()) : 0
  }

  /// The samples of each group.
  private struct Units {
    private var members: [[Int]]

    init(_ groups: [Int]) {
      members = Array(repeating: [], count: (groups.max() ?? -1) + 1)
      for (sample, group) in groups.enumerated() { members[group].append(sample) }
    }

    var count: Int { members.count }
    subscript(unit: Int) -> [Int] { members[unit] }
  }
}
