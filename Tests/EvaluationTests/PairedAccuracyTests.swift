import Statistics
import Testing

@testable import Evaluation

/// What is said of a pair never contradicts the interval beside it.
@Suite struct PairedAccuracyTests {
  private static var ends: Regex<(Substring, Substring, Substring)> {
    /interval ([-+]?[0-9]+\.[0-9]+) … ([-+]?[0-9]+\.[0-9]+)/
  }

  private static func outcomes(_ lost: Int, _ gained: Int, both: Int, neither: Int) -> PairedOutcomes {
    func times(_ count: Int, _ value: Bool) -> [Bool] { Array(repeating: value, count: count) }
    return PairedOutcomes(
      times(lost, true) + times(gained, false) + times(both, true) + times(neither, false),
      times(lost, false) + times(gained, true) + times(both, true) + times(neither, false))
  }

  /// All tables of up to 60 samples; the rest is right in both, in none, or half and half.
  @Test func wordsIntervalAndTestAgree() throws {
    let ofEnds = Self.ends
    for count in 1...60 {
      for lost in 0...count {
        for gained in 0...(count - lost) {
          let rest = count - lost - gained
          for both in Set([0, rest / 2, rest]) {
            let outcomes = Self.outcomes(lost, gained, both: both, neither: rest - both)
            let accuracy = PairedAccuracy(outcomes)
            let isClear = !accuracy.interval.contains(0)
            #expect(accuracy.isSignificant == isClear && isClear == (accuracy.pValue < 0.05))
            let words = Verdict.sentence("A", "B", accuracy, Proportion(rest, of: count))
            let ends = try #require(words.firstMatch(of: ofEnds))
            let (lower, upper) = (try #require(Double(ends.1)), try #require(Double(ends.2)))
            #expect((lower <= 0 && upper >= 0) == !isClear, "\(words)")
            #expect(words.contains(", significant") == isClear, "\(words)")
            #expect(words.contains("not significant") == !isClear, "\(words)")
          }
        }
      }
    }
  }

  /// McNemar's p of a lone pair is that of the score test; of several each is corrected for the others.
  @Test func severalPairsAreCorrectedForTheirNumber() {
    let tables = [(4, 0), (0, 12), (3, 5)].map { Self.outcomes($0, $1, both: 40, neither: 3) }
    let alone = tables.map { PairedAccuracy($0) }
    let together = PairedAccuracy.corrected(tables.map { ($0, 1) })
    #expect(alone.map(\.isSignificant) == [true, true, false])
    #expect(together.map(\.isSignificant) == [false, true, false])
    for (alone, together) in zip(alone, together) {
      #expect(together.comparisons == 3 && alone.comparisons == 1)
      #expect(together.confidence > alone.confidence && together.pValue >= alone.pValue)
      #expect(together.isSignificant == !together.interval.contains(0))
      #expect(
        together.interval.lower <= alone.interval.lower && together.interval.upper >= alone.interval.upper)
    }
  }

  /// What the text says of so few answers is the exact count's: one can be divided in no other way, 4 to none in two of 16.
  @Test func splitsAreCountedExactly() throws {
    func words(_ lost: Int, _ gained: Int, designEffect: Double = 1) -> String? {
      Verdict.split(
        PairedAccuracy(Self.outcomes(lost, gained, both: 400, neither: 0), designEffect: designEffect))
    }
    #expect(
      words(0, 1)
        == "If both were equally good, 1 answer that only one has right would split at least this unevenly always."
    )
    let four = try #require(words(4, 0))
    #expect(four.contains("4 answers") && four.contains("in 12 of 100 cases."))
    #expect(four.hasSuffix("by the count of splits it is not. More samples would tell."))
    #expect(words(3, 9)?.hasSuffix("in 15 of 100 cases.") == true)
    #expect(words(0, 0) == nil && words(0, 1, designEffect: 2) == nil)
  }

  /// A p on either side of 5 % is written on that side.
  @Test func probabilitiesKeepTheirSideOfFivePercent() throws {
    for p in [0.0499999, 0.04996, 0.0496, 0.046, 0.05, 0.050004, 0.0504, 0.056, 0.2] {
      let written = try #require(Double(Verdict.probability(p).dropFirst(2)))
      #expect((written < 0.05) == (p < 0.05), "\(p) is written as \(written)")
    }
  }

  /// Of many samples the ends of intervals come near 0, and are not written as if they were it.
  @Test func endsNearZeroKeepTheirSign() {
    for lost in 40...120 {
      let accuracy = PairedAccuracy(Self.outcomes(lost, 60, both: 50_000, neither: 0))
      let words = Verdict.sentence("A", "B", accuracy, Proportion(50_000, of: 50_060 + lost))
      let numbers = words.matches(of: /[-+]?0\.0+[^0-9]/)
      #expect(accuracy.difference == 0 || numbers.isEmpty, "\(words)")
    }
  }
}
