import Statistics
import Testing

/// The interval of the calibration error has the true error in it 95 times of 100, of models without any error too, of which
/// a sample always shows some.
@Suite struct CalibrationCoverageTests {
  /// How confidences are spread, between a guess and certainty.
  enum Spread: CaseIterable { case even, sure, all99, all100 }

  /// How often answers of a confidence are right.
  enum Rightness: CaseIterable {
    case asSaid, twoLess, ofOneBin, less, waves

    func callAsFunction(_ confidence: Double) -> Double {
      let bin = Int(confidence * 15)
      let chance =
        switch self {
        case .asSaid: confidence
        case .twoLess: confidence - 0.02
        case .ofOneBin: bin == 11 ? confidence - 0.4 : confidence
        case .less: 0.5 + 0.6 * (confidence - 0.5)
        case .waves: confidence + (bin % 2 == 0 ? 0.2 : -0.2)
        }
      return min(max(chance, 0), 1)
    }
  }

  private static let cases = Spread.allCases.flatMap { spread in
    Rightness.allCases.compactMap { rightness in
      // Of one confidence alone there are two kinds of errors: none and some.
      [.even, .sure].contains(spread) || [.asSaid, .twoLess].contains(rightness) ? (spread, rightness) : nil
    }
  }

  /// Draws for each case: the share of intervals that cover is told to ±3 points (95 %).
  private static let draws = 200

  /// Of 1000 draws of each case with 100 to 5000 answers (`Documentation/explanation/comparing.md`) the worst covers 94.3 %. A
  /// percentile bootstrap, or BCa, covers no error of 0 at all.
  @Test(arguments: [100, 1000]) func ofTheCalibrationError(count: Int) throws {
    var shares: [Double] = []
    for (spread, rightness) in Self.cases {
      let share = try coverage(count, spread, rightness, draws: Self.draws, of: 400)
      #expect(share >= 0.9, "\(count) answers, \(spread), right \(rightness): \(share)")
      shares.append(share)
    }
    #expect(shares.mean >= 0.95)
  }

  private func coverage(
    _ count: Int, _ spread: Spread, _ rightness: Rightness, draws: Int, of resamples: Int
  ) throws -> Double {
    var random = SplitMix64(seed: 20_260_101)
    let error = error(spread, rightness, &random)
    var covering = 0
    for draw in 0..<draws {
      let confidences = (0..<count).map { _ in confidence(spread, &random) }
      let isRight = confidences.map { Double.random(in: 0..<1, using: &random) < rightness($0) }
      let found = try #require(
        CalibrationError(
          confidences: confidences, isRight: isRight, draws: resamples, seed: UInt64(draw)))
      #expect(found.interval.contains(found.value))
      // Sums of fractions may differ in their last digits.
      let (lower, upper) = (found.interval.lower - 1e-6, found.interval.upper + 1e-6)
      covering += lower <= error && error <= upper ? 1 : 0
    }
    return Double(covering) / Double(draws)
  }

  /// The true error of all answers of the kind.
  private func error(_ spread: Spread, _ rightness: Rightness, _ random: inout SplitMix64) -> Double {
    var sums = [Double](repeating: 0, count: 15)
    let count = 200_000
    for _ in 0..<count {
      let confidence = confidence(spread, &random)
      sums[min(Int(confidence * 15), 14)] += confidence - rightness(confidence)
    }
    return sums.reduce(0) { $0 + abs($1) } / Double(count)
  }

  private func confidence(_ spread: Spread, _ random: inout SplitMix64) -> Double {
    let place = Double.random(in: 0..<1, using: &random)
    return switch spread {
    case .even: 0.3 + 0.7 * place
    case .sure: 1 - 0.7 * place * place * place * place
    case .all99: 0.99
    case .all100: 1
    }
  }

  /// Answers that are there three times tell as much as once.
  @Test func ofCopies() throws {
    var random = SplitMix64(seed: 3)
    let confidences = (0..<300).map { _ in confidence(.even, &random) }
    let isRight = confidences.map { Double.random(in: 0..<1, using: &random) < $0 }
    let once = try #require(
      CalibrationError(confidences: confidences, isRight: isRight, draws: 4000, seed: 1))
    let places = (0..<900).map { $0 / 3 }
    let thrice = try #require(
      CalibrationError(
        confidences: places.map { confidences[$0] }, isRight: places.map { isRight[$0] }, groups: places,
        draws: 4000, seed: 1))
    #expect(abs(thrice.value - once.value) < 0.01)
    #expect(abs(thrice.interval.lower - once.interval.lower) < 0.01)
    #expect(abs(thrice.interval.upper - once.interval.upper) < 0.01)
    let unaware = try #require(
      CalibrationError(
        confidences: places.map { confidences[$0] }, isRight: places.map { isRight[$0] }, draws: 4000, seed: 1
      ))
    #expect(
      unaware.interval.upper - unaware.interval.lower < 0.9 * (once.interval.upper - once.interval.lower))
  }

  @Test func ofNothing() {
    #expect(CalibrationError(confidences: [], isRight: [], draws: 100, seed: 1) == nil)
  }
}
