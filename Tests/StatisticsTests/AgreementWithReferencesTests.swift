import Statistics
import Testing

/// Every figure is that of scipy, scikit-learn or NumPy.
@Suite struct AgreementWithReferencesTests {
  let fixture: StatisticsFixture

  init() throws { fixture = try StatisticsFixture.load() }

  @Test func accuracyAndRanks() {
    for model in [fixture.first, fixture.second] {
      #expect(model.scores.map(Ranking.best) == model.answers)
      let places = zip(fixture.truths, model.scores).map { Ranking.place(of: $0, in: $1) }
      #expect(places.count { $0 == 0 } == model.top1)
      #expect(places.count { $0 < 3 } == model.top3)
      let interval = Proportion(model.top1, of: places.count).interval
      #expect(isClose(interval.lower, model.wilson[0]) && isClose(interval.upper, model.wilson[1]))
    }
  }

  @Test func classesAndConfusions() {
    for model in [fixture.first, fixture.second] {
      let matrix = ConfusionMatrix(truths: fixture.truths, answers: model.answers)
      #expect(isClose(matrix.macroF1, model.macroF1))
      for (truth, row) in model.confusion.enumerated() {
        for (answer, count) in row.enumerated() {
          #expect(matrix.counts[.init(truth: truth, answer: answer)] ?? 0 == count)
        }
      }
      for (label, metrics) in matrix.metrics {
        #expect(metrics.support == model.support[label])
        #expect(isClose(metrics.precision, model.precision[label]))
        #expect(isClose(metrics.recall, model.recall[label]))
        #expect(isClose(metrics.f1, model.f1[label]))
      }
    }
  }

  @Test func calibrationAndThresholds() {
    for model in [fixture.first, fixture.second] {
      let isRight = fixture.isRight(model)
      let calibration = Calibration(confidences: model.confidences, isRight: isRight)
      #expect(isClose(calibration.expectedError, model.calibrationError))
      for (bin, expected) in zip(calibration.bins, model.bins) {
        #expect(Double(bin.count) == expected[0])
        #expect(isClose(bin.confidence, expected[1]) && isClose(bin.accuracy, expected[2]))
      }
      let sweep = ThresholdPoint.sweep(
        model.coverage.map { $0[0] }, scores: model.confidences, isRight: isRight)
      for (point, expected) in zip(sweep, model.coverage) {
        #expect(isClose(point.coverage, expected[1]))
        #expect(isClose(point.precision ?? -1, expected[2]))
      }
      let quantiles = [0, 0.05, 0.5, 0.95, 1].map { model.confidences.quantile($0) }
      #expect(zip(quantiles, model.quantiles).allSatisfy { isClose($0, $1) })
    }
  }

  @Test func pairs() {
    let pair = PairedOutcomes(fixture.isRight(fixture.first), fixture.isRight(fixture.second))
    #expect([pair.onlyFirst, pair.onlySecond] == fixture.only)
    #expect(isClose(pair.mcNemar, fixture.mcNemar))
    let interval = pair.interval(resamples: 20_000, seed: 1)
    // One step of the difference is 1/120; the quantiles of 20 000 draws stay within one.
    #expect(isClose(interval.lower, fixture.bootstrap[0], 1.01 / 120))
    #expect(isClose(interval.upper, fixture.bootstrap[1], 1.01 / 120))
    let matrix = ConfusionMatrix(truths: fixture.first.answers, answers: fixture.second.answers)
    #expect(isClose(matrix.kappa, fixture.kappa))
  }

  @Test func distancesOfScores() {
    for (index, scores) in zip(fixture.first.scores, fixture.second.scores).enumerated() {
      #expect(isClose(Distributions.divergence(scores.0, scores.1), fixture.divergence[index], 1e-10))
      #expect(isClose(Distributions.cosine(scores.0, scores.1), fixture.cosine[index]))
    }
  }

  @Test func mcNemarForFewAndMany() {
    for row in fixture.mcNemarTable {
      let (b, c) = (Int(row[0]), Int(row[1]))
      let p = BinomialTest.evenOdds(b, of: b + c)
      // Relative to the probability itself, however small.
      #expect(abs(p - row[2]) <= 1e-9 * row[2], "\(b) against \(c): \(p), expected \(row[2])")
      #expect(p == BinomialTest.evenOdds(c, of: b + c))
    }
  }
}
