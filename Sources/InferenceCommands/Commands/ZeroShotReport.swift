import CommandSupport
import Apus

extension ZeroShotClassification: Reportable {
  func headline(_ input: String) -> String {
    "\(input.printable) (\(Format.decimal(times.total.milliseconds, 1)) ms\(uncertainty.map { ", \($0.words)" } ?? ""))"
  }

  var lines: [String] {
    let rows = predictions.map { score in
      (
        score: score.score, percent: "  " + PredictionTable.percent(score.score),
        logit: Format.decimal(Double(score.logit), 2), label: score.label.printable
      )
    }
    // Columns are two spaces apart, and as wide as their titles at least.
    let width = [rows.map(\.percent.count), rows.map { max($0.logit.count, 5) }, rows.map(\.label.columns)]
      .reduce(6) { $0 + ($1.max() ?? 0) }
    let bars = ScoreBars(besides: width, isUncertain: isUncertain)
    var table = Table(
      [("score", .right), ("logit", .right)] + (bars == nil ? [] : [("", .drawn)]) + [("label", .left)])
    for row in rows {
      table.append([row.percent, row.logit] + (bars.map { [$0.bar(row.score)] } ?? []) + [row.label])
    }
    return table.lines
  }

  var members: [JSON.Member] {
    [
      (
        "scores",
        .array(
          predictions.map {
            .object([
              ("label", .string($0.label)), ("index", .integer($0.index)), ("score", .float($0.score)),
              ("logit", .float($0.logit)), ("softmax", .float($0.softmax)), ("sigmoid", .float($0.sigmoid)),
              ("truncated", .bool($0.wasTruncated)),
            ])
          })
      ),
      ("uncertain", .bool(isUncertain)), ("reason", uncertainty.map { .string($0.rawValue) } ?? .null),
      ("scoring", .string(scoring.rawValue)),
      ("preprocess", preprocessing.map(JSON.string) ?? .null),
      ("milliseconds", PredictionTable.milliseconds(times.total.milliseconds)),
      ("stages", PredictionTable.stages(times, embedsLabels: true)),
    ] + (novelty.map { [("novelty", .float($0))] } ?? [])
  }
}
