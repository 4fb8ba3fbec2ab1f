import Apus

/// Classes and scores as people and programs read them.
package enum PredictionTable {
  /// A line for each: `  53.0 %  koala`, with a bar between them on a terminal.
  /// - Parameter areShares: whether scores are shares of 1, and no quantities of any size, which are shown as they are.
  package static func lines(
    _ predictions: [Prediction], isUncertain: Bool, areShares: Bool = true
  ) -> [String] {
    let rows = predictions.map { prediction in
      let label =
        "\(prediction.index)" == prediction.label ? "class \(prediction.label)" : prediction.label.printable
      let score = areShares ? percent(prediction.score) : Format.decimal(Double(prediction.score), 3)
      return (score: prediction.score, percent: "  " + score, label: label)
    }
    let width = (rows.map(\.percent.count).max() ?? 0) + (rows.map(\.label.columns).max() ?? 0)
    let bars = areShares ? ScoreBars(besides: width + 4, isUncertain: isUncertain) : nil
    var table = Table([("", .right)] + (bars == nil ? [] : [("", .drawn)]) + [("", .left)])
    for row in rows { table.append([row.percent] + (bars.map { [$0.bar(row.score)] } ?? []) + [row.label]) }
    return table.lines
  }

  package static func json(_ predictions: [Prediction]) -> JSON {
    .array(
      predictions.map {
        .object(
          [("label", .string($0.label)), ("index", .integer($0.index)), ("score", .float($0.score))]
            + details($0.details))
      })
  }

  /// The label file's details of a class, in all languages.
  private static func details(_ details: LabelDetails?) -> [JSON.Member] {
    guard let details else { return [] }
    let texts = [("name", details.name), ("description", details.description), ("advice", details.advice)]
    return texts.compactMap { key, text in
      text.map { text in
        (key, .object(text.texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
      }
    }
  }

  package static func percent(_ score: Float) -> String { Format.decimal(Double(score) * 100, 1) + " %" }

  /// The milliseconds of each stage.
  /// - Parameters:
  ///   - ofText: whether they are a text's, else a picture's.
  ///   - embedsLabels: whether there are labels to be embedded, of whose stage making their tokens is a part.
  package static func stages(_ times: StageTimes, ofText: Bool = false, embedsLabels: Bool = false)
    -> JSON
  {
    var stages =
      ofText
      ? [("tokenize", times.tokenize)] : [("decode", times.decode), ("preprocess", times.preprocess)]
    stages += [("run", times.run), ("rank", times.rank)]
    if embedsLabels { stages.append(("labels", times.tokenize + times.labels)) }
    return .object(stages.map { ($0.0, milliseconds($0.1.milliseconds)) })
  }

  /// Milliseconds with the digits that mean something.
  package static func milliseconds(_ value: Double) -> JSON { .number((value * 1000).rounded() / 1000) }
}
