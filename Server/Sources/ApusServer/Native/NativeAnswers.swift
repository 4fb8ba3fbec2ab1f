import Apus

/// What the server's own routes answer.
extension JSONText {
  /// - Parameter model: the name under which it is served.
  static func zeroShot(_ result: ZeroShotClassification, model: String) -> JSONText {
    let results = result.predictions.map { prediction in
      [
        "label": .string(prediction.label), "score": .float(prediction.score),
        "logit": .float(prediction.logit),
      ] as JSONText
    }
    return answer(
      model, scoring: .string(result.scoring.rawValue), results, isUncertain: result.isUncertain,
      result.milliseconds)
  }

  static func classification(
    _ predictions: [Prediction], isUncertain: Bool, _ milliseconds: StageMilliseconds, model: String
  ) -> JSONText {
    let results = predictions.map { prediction in
      ["label": .string(prediction.label), "score": .float(prediction.score)] as JSONText
    }
    return answer(model, scoring: nil, results, isUncertain: isUncertain, milliseconds)
  }

  private static func answer(
    _ model: String, scoring: JSONText, _ results: [JSONText], isUncertain: Bool,
    _ milliseconds: StageMilliseconds
  ) -> JSONText {
    [
      "model": .string(model), "scoring": scoring, "results": .array(results),
      "uncertain": .bool(isUncertain),
      "milliseconds": [
        "decode": .number(milliseconds.decode), "preprocess": .number(milliseconds.preprocess),
        "run": .number(milliseconds.run), "rank": .number(milliseconds.rank),
        "labels": .number(milliseconds.labels), "total": .number(milliseconds.total),
      ],
    ]
  }

  /// Labels and scores alone, as several dialects have them.
  static func scores(_ scores: [(label: String, score: Float)]) -> JSONText {
    .array(scores.map { ["label": .string($0.label), "score": .float($0.score)] })
  }
}
