import Statistics
import Testing

/// What the interval says of a margin, and how many samples it takes.
@Suite struct MarginTests {
  @Test func anIntervalLiesOnOneSideOrIsOpen() {
    #expect(MarginTest.outcome(Interval(lower: -0.009, upper: 0.1), margin: 0.01) == .within)
    #expect(MarginTest.outcome(Interval(lower: 0.2, upper: 0.3), margin: 0.01) == .within)
    #expect(MarginTest.outcome(Interval(lower: -0.3, upper: -0.011), margin: 0.01) == .beyond)
    #expect(MarginTest.outcome(Interval(lower: -0.02, upper: 0), margin: 0.01) == .open)
    #expect(MarginTest.outcome(Interval(lower: -0.01, upper: 0), margin: 0.01) == .open)
  }

  /// Without changed answers the interval ends at z² / (n + z²), which is the margin for z² (1 - margin) / margin samples.
  @Test func equalAnswersNeedAsManyAsTheIntervalDoes() throws {
    let pair = PairedDifference(onlyFirst: 0, onlySecond: 0, count: 20)
    let needed = try #require(MarginTest.samplesNeeded(pair, margin: 0.01, confidence: 0.95))
    #expect(abs(needed - 3.8414588206941254 * 99) < 1)
  }

  /// With so many samples, drawn at the rates that were seen, the interval tells in at least three of four cases: 80 % are
  /// promised where the rates are true, and few changes make the number uneven.
  @Test(arguments: [(4.0, 2.0, 200.0, 0.05), (30.0, 2.0, 400.0, 0.03), (1.0, 3.0, 150.0, 0.02)])
  func soManyTell(lost: Double, gained: Double, count: Double, margin: Double) throws {
    let pair = PairedDifference(onlyFirst: lost, onlySecond: gained, count: count)
    let needed = Int(
      try #require(MarginTest.samplesNeeded(pair, margin: margin, confidence: 0.95)).rounded(.up))
    #expect(needed < 20_000)
    var random = SplitMix64(seed: 9)
    var told = 0
    for _ in 0..<300 {
      var table = (0.0, 0.0)
      for _ in 0..<needed {
        let place = Double.random(in: 0..<count, using: &random)
        if place < lost { table.0 += 1 } else if place < lost + gained { table.1 += 1 }
      }
      let drawn = PairedDifference(onlyFirst: table.0, onlySecond: table.1, count: Double(needed))
      told += MarginTest.outcome(drawn.interval(), margin: margin) != .open ? 1 : 0
    }
    #expect(told >= 225, "\(told) of 300 with \(needed) samples")
  }

  /// No number tells a loss of exactly the margin from it.
  @Test func aLossOfTheMarginStaysOpen() {
    let pair = PairedDifference(onlyFirst: 10, onlySecond: 0, count: 1000)
    #expect(MarginTest.samplesNeeded(pair, margin: 0.01, confidence: 0.95) == nil)
  }
}

/// The interval of a median.
@Suite struct SignIntervalTests {
  /// Ranks of the tables of the sign test: at least 95 % and the next would be less.
  @Test(arguments: [(6, 0), (8, 0), (9, 1), (20, 5), (30, 9), (100, 39)])
  func ranks(count: Int, place: Int) { #expect(SignInterval.places(of: count) == place) }

  @Test func fewerThanSixHaveNone() {
    #expect(SignInterval.places(of: 5) == nil && SignInterval.places(of: 0) == nil)
    #expect(SignInterval.places(of: 5000) ?? 0 > 2400)
  }
}
