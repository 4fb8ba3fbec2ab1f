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
      model, scoring: .string(result.scoring.rawValue), results, uncertainty: result.uncertainty,
      damage: result.damage, isTruncated: result.predictions.contains { $0.wasTruncated },
      result.milliseconds)
  }

  static func classification(_ result: Classification, model: String) -> JSONText {
    classification(
      result.predictions, uncertainty: result.uncertainty, damage: result.damage, isTruncated: false,
      result.milliseconds, model: model)
  }

  static func classification(_ result: TextClassification, model: String) -> JSONText {
    classification(
      result.predictions, uncertainty: result.uncertainty, damage: nil, isTruncated: result.wasTruncated,
      result.milliseconds, model: model)
  }

  private static func classification(
    _ predictions: [Prediction], uncertainty: Uncertainty?, damage: String?, isTruncated: Bool,
    _ milliseconds: StageMilliseconds, model: String
  ) -> JSONText {
    let results = predictions.map { prediction in
      ["label": .string(prediction.label), "score": .float(prediction.score)] as JSONText
    }
    return answer(
      model, scoring: nil, results, uncertainty: uncertainty, damage: damage, isTruncated: isTruncated,
      milliseconds)
  }

  /// - Parameters:
  ///   - damage: what is wrong with the picture's file.
  ///   - isTruncated: whether only the beginning of a text, or of a label, was read.
  private static func answer(
    _ model: String, scoring: JSONText, _ results: [JSONText], uncertainty: Uncertainty?, damage: String?,
    isTruncated: Bool, _ milliseconds: StageMilliseconds
  ) -> JSONText {
    [
      "model": .string(model), "scoring": scoring, "results": .array(results),
      "uncertain": .bool(uncertainty != nil), "reason": .optional(uncertainty?.rawValue),
      "damage": .optional(damage), "truncated": .bool(isTruncated),
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
