import Apus

extension ZeroShotClassification: Reportable {
  func headline(_ input: String) -> String { "\(input) (\(Format.decimal(milliseconds.total, 1)) ms)" }

  var lines: [String] {
    var table = Table([("score", .right), ("logit", .right), ("label", .left)])
    for score in predictions {
      table.append([
        "  " + PredictionTable.percent(score.score), Format.decimal(Double(score.logit), 2), score.label,
      ])
    }
    return table.lines
  }

  var members: [(String, JSON)] {
    [
      (
        "scores",
        .array(
          predictions.map {
            .object([
              ("label", .string($0.label)), ("index", .integer($0.index)), ("score", .float($0.score)),
              ("logit", .float($0.logit)), ("softmax", .float($0.softmax)), ("sigmoid", .float($0.sigmoid)),
            ])
          })
      ),
      ("scoring", .string(scoring.rawValue)), ("preprocess", preprocessing.map(JSON.string) ?? .null),
      ("milliseconds", PredictionTable.milliseconds(milliseconds.total)),
    ]
  }
}
