import Statistics
import TestSupport
import Testing

/// What nothing, one sample, and ties come to.
@Suite struct EdgeCaseTests {
  @Test func nothing() {
    let nothing = PairedOutcomes([], [])
    #expect(nothing.difference == 0)
    #expect(nothing.mcNemar == 1)
    #expect(PairedDifference(nothing).interval() == Interval(lower: -1, upper: 1))
    #expect(PairedDifference(nothing).pValue == 1)
    #expect(Bootstrap.interval(of: 0, resamples: 100, seed: 1) { _ in 0 } == nil)
    #expect(HolmCorrection([]).adjusted == [])
    #expect(DesignEffect.of([], groups: []) == 1)
    #expect(ConfusionMatrix(truths: [], answers: []).macroF1 == 0)
    #expect(Calibration(confidences: [], isRight: []).expectedError == 0)
    #expect([Double]().quantile(0.5).isNaN)
    #expect(ThresholdPoint.sweep([0.5], scores: [], isRight: [])[0].precision == nil)
  }

  @Test func equalScoresAreRankedByPosition() {
    #expect(Ranking.best([1, 2, 2]) == 1)
    #expect(Ranking.place(of: 2, in: [1, 2, 2]) == 1)
    #expect(Ranking.place(of: 1, in: [1, 2, 2]) == 0)
  }

  @Test func confidencesAtTheEdgesOfBins() {
    let calibration = Calibration(
      confidences: [0, 0.5, 0.500001, 1], isRight: [true, true, true, true], binCount: 2)
    #expect(calibration.bins.map(\.count) == [2, 2])
  }

  /// As scikit-learn has it.
  @Test func kappaOfOneAnswer() {
    #expect(ConfusionMatrix(truths: [3, 3], answers: [3, 3]).kappa.isNaN)
    #expect(ConfusionMatrix(truths: [0, 1], answers: [0, 1]).kappa == 1)
    #expect(ConfusionMatrix(truths: [0, 1], answers: [1, 0]).kappa == -1)
  }

  @Test func zeroesDoNotMakeTheDivergenceInfinite() {
    let divergence = Distributions.divergence([1, 0], [0, 1])
    #expect(divergence.isFinite && divergence > 10)
    #expect(Distributions.divergence([0.5, 0.5], [0.5, 0.5]) == 0)
    #expect(Distributions.cosine([0, 0], [1, 0]) == 0)
  }
}

/// What a seed gives is the same everywhere.
@Suite struct RandomnessTests {
  /// The first numbers of the reference implementation (Vigna, prng.di.unimi.it) for this seed.
  @Test func numbersAreTheReferences() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers: [UInt64] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
    #expect((0..<3).map { _ in random.next() } == numbers)
  }

  @Test func aSeedGivesTheSameInterval() {
    let values = (0..<300).map { Double($0 * $0 % 97) }
    func interval(_ seed: UInt64) -> Interval? {
      Bootstrap.interval(of: 300, resamples: 500, seed: seed) { times in
        var sum = 0.0
        for (time, value) in zip(times, values) { sum += Double(time) * value }
        return sum / 300
      }
    }
    #expect(interval(7) == interval(7) && interval(7) != interval(8))
  }

  /// Resamples of equal values say nothing of how far those are from the true one.
  @Test func equalResamplesGiveNoInterval() {
    let right = ResampledMacroF1(truths: [0, 1, 2, 1], answers: [0, 1, 2, 1])
    #expect(Bootstrap.interval(of: 4, resamples: 200, seed: 1, statistic: right.callAsFunction) == nil)
  }

  @Test func samplesKeepTheirOrder() {
    var random = SplitMix64(seed: 3)
    let chosen = random.sample(10, of: Array(0..<1000))
    #expect(chosen.count == 10 && Set(chosen).count == 10)
    #expect(chosen == chosen.sorted())
    #expect(random.sample(5, of: [1, 2]) == [1, 2])
    #expect(random.sample(0, of: [1, 2]).isEmpty)
  }

  /// Some of the scores are equal, so that their order counts.
  @Test func theBestOfManyAreThoseOfTheWholeOrder() {
    var random = SeededRandom(seed: 3)
    for count in [0, 1, 5, 100, 1000] {
      let scores = random.floats(count).map { ($0 * 20).rounded() / 20 }
      let order = Ranking.order(scores)
      for wanted in [-1, 0, 1, 3, 12, 200, 2000] {
        #expect(Ranking.order(scores, count: wanted) == Array(order.prefix(max(wanted, 0))))
      }
    }
  }
}
