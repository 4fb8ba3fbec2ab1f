/// How many samples tell as much as one that stands alone, where samples come in groups that go together: pictures of one
/// photograph, sentences of one review.
///
/// The variance of the mean that groups show, over the one that samples by themselves would have: the design effect of
/// Kish ("Survey Sampling", 1965). Counts divided by it are taken by methods for single samples, as Rao and Scott have it
/// ("A simple method for the analysis of clustered binary data", Biometrics 48, 1992); of paired answers the mean is that
/// of their differences, whose variance over groups is Obuchowski's ("On the comparison of correlated proportions for
/// clustered data", Statistics in Medicine 17, 1998).
package enum DesignEffect {
  /// Groups in which something happens that are needed to tell how far samples of a group go together. With fewer, each
  /// group counts as its members would if they were the same.
  static let leastGroups = 10

  /// - Parameters:
  ///   - values: of each sample.
  ///   - groups: the group of each sample, numbered from 0 without gaps.
  /// - Returns: at least 1, and 1 where every sample is a group.
  package static func of(_ values: [Double], groups: [Int]) -> Double {
    let groupCount = (groups.max() ?? -1) + 1
    guard groupCount > 0, groupCount < values.count, values.count == groups.count else { return 1 }
    var sizes = [Double](repeating: 0, count: groupCount)
    for group in groups { sizes[group] += 1 }
    let count = Double(values.count)
    let greatest = max(1, sizes.reduce(0) { $0 + $1 * $1 } / count)
    guard groupCount > 1, isTold(values, groups, groupCount) else { return greatest }

    let mean = values.reduce(0, +) / count
    var residuals = [Double](repeating: 0, count: groupCount)
    for (value, group) in zip(values, groups) { residuals[group] += value - mean }
    let between = residuals.reduce(0) { $0 + $1 * $1 } * Double(groupCount) / Double(groupCount - 1)
    let within = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    // Samples of a group that differ more than others would make it less than 1, which is chance more often than not.
    return within > 0 ? max(1, between / within) : greatest
  }

  /// The same of some of the samples.
  /// - Parameter members: their positions.
  package static func of(_ values: [Double], groups: [Int], among members: [Int]) -> Double {
    var numbers: [Int: Int] = [:]
    let renumbered = members.map { member in
      let number = numbers[groups[member]] ?? numbers.count
      numbers[groups[member]] = number
      return number
    }
    return of(members.map { values[$0] }, groups: renumbered)
  }

  /// Whether enough groups have a value that is not the usual one.
  private static func isTold(_ values: [Double], _ groups: [Int], _ groupCount: Int) -> Bool {
    var counts: [Double: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    var isUnusual = [Bool](repeating: false, count: groupCount)
    for (value, group) in zip(values, groups) where value != usual { isUnusual[group] = true }
    return isUnusual.count(where: \.self) >= leastGroups
  }
}
