import Statistics
import Testing

/// What the interval of a pair, its test and the procedure for several pairs say never differs.
@Suite struct PairedLawTests {
  /// Of all tables of up to 60 questions; those that both answer alike play no part.
  @Test func theIntervalLeavesOutZeroWhereTheTestFindsADifference() {
    for count in 1...60 {
      for lost in 0...count {
        for gained in 0...(count - lost) {
          let pair = PairedDifference(
            onlyFirst: Double(lost), onlySecond: Double(gained), count: Double(count))
          let interval = pair.interval()
          #expect(interval.contains(0) == (pair.pValue >= 0.05), "\(lost) lost, \(gained) gained of \(count)")
          #expect(interval.contains(pair.value) && interval.lower >= -1 && interval.upper <= 1)
          #expect(interval.lower < interval.upper, "\(lost) lost, \(gained) gained of \(count)")
        }
      }
    }
  }

  /// An exchange of the two turns the interval round.
  @Test func bothSidesAreTreatedAlike() {
    for (lost, gained, count) in [(0, 3, 20), (7, 2, 100), (0, 20, 20), (40, 41, 1000)] {
      let (lost, gained, count) = (Double(lost), Double(gained), Double(count))
      let pair = PairedDifference(onlyFirst: lost, onlySecond: gained, count: count)
      let turned = PairedDifference(onlyFirst: gained, onlySecond: lost, count: count)
      #expect(isClose(pair.interval().lower, -turned.interval().upper, 1e-10))
      #expect(isClose(pair.interval().upper, -turned.interval().lower, 1e-10))
      #expect(isClose(pair.pValue, turned.pValue))
    }
  }

  /// Where several pairs are tested at once, each interval is of the level that its test was held to.
  @Test func intervalsOfSeveralPairsAgreeWithHolmsProcedure() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<4000 {
      let pairs = (0..<(2 + random.index(below: 5))).map { _ in
        PairedDifference(
          onlyFirst: Double(random.index(below: 16)), onlySecond: Double(random.index(below: 16)), count: 60)
      }
      let correction = HolmCorrection(pairs.map(\.pValue))
      for (place, pair) in pairs.enumerated() {
        let interval = pair.interval(confidence: correction.confidences[place])
        #expect(interval.contains(0) == (correction.adjusted[place] >= 0.05))
        #expect(correction.confidences[place] >= 0.95 - 1e-12)
      }
    }
  }
}
