/// Several tests at once: what each of them may say so that with 95 % nothing is called a difference that is none.
///
/// Holm's procedure ("A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979):
/// the smallest of m p-values is held to 5 % / m, the next to 5 % / (m - 1), until one is not below its level. It asks no
/// more than Bonferroni's, whatever the tests have to do with each other.
package struct HolmCorrection: Sendable, Hashable {
  /// For each test its p-value times the number of tests that it stands for, at most 1: below 5 % where the procedure
  /// takes the test's difference for one.
  package let adjusted: [Double]
  /// For each test the confidence of the interval that leaves out 0 exactly where ``adjusted`` is below 5 %: 95 % for a
  /// single test, more for several. It is that of the level which the test was held to, or at which the procedure ended.
  package let confidences: [Double]

  private static let level = 0.05

  /// - Parameter pValues: of each test.
  package init(_ pValues: [Double]) {
    let count = pValues.count
    var adjusted = [Double](repeating: 1, count: count)
    var confidences = adjusted
    var (greatest, held) = (0.0, 0)
    for (place, test) in pValues.indices.sorted(by: { (pValues[$0], $0) < (pValues[$1], $1) }).enumerated() {
      let isOver = place > 0 && greatest >= Self.level
      if !isOver { held = count - place }
      greatest = max(greatest, min(1, pValues[test] * Double(count - place)))
      adjusted[test] = greatest
      confidences[test] = 1 - Self.level / Double(held)
    }
    self.adjusted = adjusted
    self.confidences = confidences
  }
}
