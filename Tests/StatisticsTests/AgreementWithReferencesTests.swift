import Statistics
import Testing

/// Every figure is that of scipy, statsmodels, scikit-learn or NumPy.
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

  @Test func scoreIntervalsOfPairs() {
    for row in fixture.paired {
      let pair = PairedDifference(onlyFirst: row[0], onlySecond: row[1], count: row[2])
      #expect(abs(pair.pValue - row[3]) < 1e-12, "\(row)")
      let (usual, corrected) = (pair.interval(), pair.interval(confidence: 1 - 0.05 / 3))
      // The reference finds the most likely share by search, to 1e-8 or so.
      #expect(abs(usual.lower - row[4]) < 2e-7 && abs(usual.upper - row[5]) < 2e-7, "\(row) \(usual)")
      #expect(
        abs(corrected.lower - row[6]) < 2e-7 && abs(corrected.upper - row[7]) < 2e-7, "\(row) \(corrected)")
    }
  }

  @Test func holmsProcedure() {
    for row in fixture.holm {
      let correction = HolmCorrection(row[0])
      #expect(zip(correction.adjusted, row[1]).allSatisfy { isClose($0, $1) }, "\(row)")
    }
  }

  @Test func samplesThatGoTogether() {
    let clustered = fixture.clustered
    let effect = DesignEffect.of(clustered.right, groups: clustered.groups)
    #expect(isClose(effect, clustered.effect, 1e-9))
    let right = clustered.right.count { $0 > 0 }
    let interval = Proportion(right, of: clustered.right.count, designEffect: effect).interval
    #expect(
      isClose(interval.lower, clustered.wilson[0], 1e-9) && isClose(interval.upper, clustered.wilson[1], 1e-9)
    )
  }

  /// Both draw 20 000 times or less, so ends differ by their draws: a few hundredths of the interval's width.
  @Test func biasCorrectedIntervals() throws {
    let interval = try #require(
      Bootstrap.interval(
        of: fixture.truths.count, resamples: 20_000, seed: 1,
        statistic: ResampledMacroF1(truths: fixture.truths, answers: fixture.first.answers).callAsFunction))
    let expected = fixture.biasCorrected.macroF1
    let tolerance = 0.04 * (expected[1] - expected[0])
    #expect(abs(interval.lower - expected[0]) < tolerance && abs(interval.upper - expected[1]) < tolerance)
  }

  @Test func differencesOfShares() throws {
    for item in fixture.shareDifferences {
      let found = try #require(ShareDifference(item.first, item.second))
      let ends = [found.value, found.interval.lower, found.interval.upper]
      #expect(zip(ends, item.expected).allSatisfy { isClose($0, $1, 1e-9) }, "\(ends) \(item.expected)")
    }
    #expect(ShareDifference([nil, true], [nil, nil]) == nil)
  }

  /// The reference has the distribution itself, on a grid, in place of draws.
  @Test func calibrationErrors() throws {
    for (place, item) in fixture.calibrationErrors.enumerated() {
      let found = try #require(
        CalibrationError(confidences: item.confidences, isRight: item.right, draws: 20_000, seed: 1))
      let ends = [found.value, found.interval.lower, found.interval.upper]
      let tolerance = 0.03 * (item.expected[2] - item.expected[1]) + 1e-3
      for (end, expected) in zip(ends, item.expected) {
        #expect(abs(end - expected) < tolerance, "case \(place): \(ends), expected \(item.expected)")
      }
    }
  }
}
