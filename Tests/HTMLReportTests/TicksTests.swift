import Foundation
import HTMLReport
import TestSupport
import Testing

/// Ticks are round, evenly spaced, inside their range and neither too few nor too many.
@Suite struct TicksTests {
  @Test func linearTicksAreNice() {
    var random = SeededRandom()
    for _ in 0..<500 {
      let lower = Double.random(in: -1000...1000, using: &random)
      let span = pow(10, Double.random(in: -4...6, using: &random))
      let count = Int.random(in: 2...10, using: &random)
      let ticks = Ticks.linear(lower, lower + span, count: count)
      let context = Comment(rawValue: "\(lower) + \(span), \(count) ticks, seed \(random.seed)")
      #expect((max(count / 2, 1)...count * 2 + 1).contains(ticks.values.count), context)
      #expect(
        ticks.values.allSatisfy { $0 >= lower - span * 1e-6 && $0 <= lower + span * (1 + 1e-6) }, context)
      #expect(Set(ticks.values.map(ticks.label)).count == ticks.values.count, context)
      guard ticks.values.count > 1 else { continue }
      let step = ticks.values[1] - ticks.values[0]
      let mantissa = step / pow(10, (log10(step) + 1e-6).rounded(.down))
      #expect([1, 2, 5].contains { abs($0 - mantissa) < 1e-3 }, context)
    }
  }

  @Test(arguments: [(0.0, 0.0), (1, 0), (.nan, 1), (0, .infinity), (-.infinity, .infinity), (1e300, 1.1e300)])
  func impossibleRangesHaveFewTicks(_ lower: Double, _ upper: Double) {
    #expect(Ticks.linear(lower, upper, count: 5).values.count <= 11)
    let nice = Ticks.nice(lower, upper, count: 5)
    #expect(nice.lowerBound < nice.upperBound)
  }

  @Test func niceRangesHoldTheirValues() {
    #expect(Ticks.nice(0.3, 97, count: 5) == 0...100)
    #expect(Ticks.nice(5.3, 12.7, count: 8) == 5...13)
  }

  @Test func logarithmicTicksArePowersOfTen() {
    let scale = Scale(0.05, 2000, onto: 0, 100, .logarithmic)
    #expect(Ticks.of(scale, count: 5).values.map { Float($0) } == [0.1, 1, 10, 100, 1000])
  }

  @Test func positionsStayInside() {
    let scale = Scale(10, 20, onto: 100, 0)
    #expect(scale(10) == 100 && scale(15) == 50 && scale(25) == 0 && scale(-.infinity) == 100)
    #expect(scale(.nan) == 100)
  }
}
