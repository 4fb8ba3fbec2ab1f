import Apus

/// Classes and scores as people and programs read them.
enum PredictionTable {
  /// A line for each: `  53.0 %  koala`.
  static func lines(_ predictions: [Prediction]) -> [String] {
    var table = Table([("", .right), ("", .left)])
    for prediction in predictions {
      let label = "\(prediction.index)" == prediction.label ? "class \(prediction.label)" : prediction.label
      table.append(["  " + percent(prediction.score), label])
    }
    return table.lines
  }

  static func json(_ predictions: [Prediction]) -> JSON {
    .array(
      predictions.map {
        .object(
          [("label", .string($0.label)), ("index", .integer($0.index)), ("score", .float($0.score))]
            + details($0.details))
      })
  }

  /// What the label file says of a class, in all languages.
  private static func details(_ details: LabelDetails?) -> [(String, JSON)] {
    guard let details else { return [] }
    let texts = [("name", details.name), ("description", details.description), ("advice", details.advice)]
    return texts.compactMap { key, text in
      text.map { text in
        (key, .object(text.texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
      }
    }
  }

  static func percent(_ score: Float) -> String { Format.decimal(Double(score) * 100, 1) + " %" }

  /// Milliseconds with the digits that mean something.
  static func milliseconds(_ value: Double) -> JSON { .number((value * 1000).rounded() / 1000) }
}
