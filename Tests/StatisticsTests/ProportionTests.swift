import Statistics
import Testing

@Suite struct ProportionTests {
  /// What scipy gives for `binomtest(k, n).proportion_ci(method="wilson")`.
  @Test(arguments: [
    (0, 10, 0.0, 0.27753279986288926), (10, 10, 0.7224672001371109, 1.0),
    (75, 100, 0.656955364519384, 0.8245478863771232),
  ])
  func wilson(successes: Int, count: Int, lower: Double, upper: Double) {
    let interval = Proportion(successes, of: count).interval
    #expect(abs(interval.lower - lower) < 1e-12)
    #expect(abs(interval.upper - upper) < 1e-12)
  }

  @Test func nothingSaysNothing() {
    let nothing = Proportion(0, of: 0)
    #expect(nothing.value == 0)
    #expect(nothing.interval == Interval(lower: 0, upper: 1))
  }
}
