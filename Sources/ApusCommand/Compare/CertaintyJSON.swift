import CommandSupport
import Evaluation
import Statistics

extension CertaintyReport {
  var json: JSON {
    .object([
      ("threshold", threshold.map(JSON.float) ?? .null),
      ("novelty_threshold", noveltyThreshold.map(JSON.float) ?? .null), ("certain", certain.json),
      ("low_score", lowScore.json), ("foreign", foreign.json), ("right", right?.json ?? .null),
      ("reasons", .array(reasons.map { .optional($0?.rawValue) })),
    ])
  }
}

extension CertaintyChange {
  var json: JSON {
    .object([
      ("certain", Self.json(certain, certainInterval)),
      ("right", right.map { Self.json($0.value, $0.interval) } ?? .null),
    ])
  }

  private static func json(_ value: Double, _ interval: Interval) -> JSON {
    .object([("difference", .number(value)), ("interval", interval.json)])
  }
}
