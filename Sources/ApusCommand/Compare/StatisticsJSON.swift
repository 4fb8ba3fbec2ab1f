import CommandSupport
import Evaluation
import Statistics

extension Interval {
  var json: JSON { .array([.number(lower), .number(upper)]) }
}

extension Proportion {
  var json: JSON {
    .object([
      ("value", .number(value)), ("successes", .integer(successes)), ("count", .integer(count)),
      ("interval", interval.json), ("design_effect", .number(designEffect)),
    ])
  }
}

extension Calibration {
  var json: JSON {
    .object([
      ("expected_error", bins.contains { $0.count > 0 } ? .number(expectedError) : .null),
      (
        "bins",
        .array(
          bins.filter { $0.count > 0 }.map {
            .object([
              ("lower", .number($0.lower)), ("upper", .number($0.upper)), ("count", .integer($0.count)),
              ("confidence", .number($0.confidence)), ("accuracy", .number($0.accuracy)),
              ("interval", $0.interval.json),
            ])
          })
      ),
    ])
  }
}

extension ThresholdPoint {
  var json: JSON {
    .object([
      ("threshold", .number(threshold)), ("coverage", .number(coverage)),
      ("precision", precision.map(JSON.number) ?? .null),
    ])
  }
}

extension Spread {
  var json: JSON {
    .object([
      ("mean", .number(mean)), ("p50", .number(median)), ("p95", .number(p95)), ("least", .number(least)),
      ("greatest", .number(greatest)),
    ])
  }
}

extension PairedAccuracy? {
  var json: JSON {
    guard let self else { return .null }
    return .object([
      ("difference", .number(self.difference)), ("interval", self.interval.json),
      ("both_right", .integer(self.bothRight)), ("only_baseline_right", .integer(self.onlyBaselineRight)),
      ("only_other_right", .integer(self.onlyOtherRight)), ("both_wrong", .integer(self.bothWrong)),
      ("mcnemar", .number(self.pValue)), ("significant", .bool(self.isSignificant)),
      ("chance_of_split", self.chanceOfSplit.map(JSON.number) ?? .null),
      ("confidence", .number(self.confidence)), ("comparisons", .integer(self.comparisons)),
      ("design_effect", .number(self.designEffect)),
    ])
  }
}

extension MarginReport? {
  var json: JSON {
    guard let self else { return .null }
    return .object([
      ("margin", .number(self.margin)), ("outcome", .string(self.outcome.rawValue)),
      ("greatest_loss", .number(self.greatestLoss)), ("least_loss", .number(self.leastLoss)),
      ("further_samples", self.furtherSamples.map(JSON.integer) ?? .null),
    ])
  }
}

extension SpeedRatio? {
  var json: JSON {
    guard let self else { return .null }
    return .object([("ratio", .number(self.value)), ("interval", self.interval?.json ?? .null)])
  }
}
