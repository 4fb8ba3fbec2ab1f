import Apus

/// What the server's own routes answer.
extension JSONText {
  /// - Parameters:
  ///   - model: the name under which it is served.
  ///   - trained: how logits are read by what the model was trained for; nil where they are others than its own.
  static func zeroShot(
    _ result: ZeroShotClassification, model: String, trained: ZeroShotScoring?
  ) -> JSONText {
    let results = result.predictions.map { prediction in
      [
        "label": .string(prediction.label), "score": .float(prediction.score),
        "logit": .float(prediction.logit),
      ] as JSONText
    }
    return answer(
      model, scoring: .string(result.scoring.rawValue), trainedScoring: .optional(trained?.rawValue),
      areProbabilities: true, results,
      uncertainty: result.uncertainty, damage: result.damage,
      isTruncated: result.predictions.contains { $0.wasTruncated }, result.times)
  }

  /// - Parameter areProbabilities: whether scores are; a regression's are quantities of any size.
  static func classification(
    _ result: Classification, model: String, areProbabilities: Bool
  ) -> JSONText {
    answer(
      model, scoring: nil, areProbabilities: areProbabilities, result.predictions.map(prediction),
      uncertainty: result.uncertainty, damage: result.damage, isTruncated: false, result.times)
  }

  /// - Parameter areProbabilities: whether scores are; a regression's are quantities of any size.
  static func classification(
    _ result: TextClassification, model: String, areProbabilities: Bool
  ) -> JSONText {
    answer(
      model, scoring: nil, areProbabilities: areProbabilities, result.predictions.map(prediction),
      uncertainty: result.uncertainty, damage: nil, isTruncated: result.wasTruncated, result.times)
  }

  /// A class, with what the label file says of it in all its languages, under the keys of `apus classify --json`.
  private static func prediction(_ prediction: Prediction) -> JSONText {
    let details = prediction.details
    let texts: [(key: String, text: TranslatedText?)] = [
      ("name", details?.name), ("description", details?.description), ("advice", details?.advice),
    ]
    var members: [(key: String, value: JSONText)] = [
      ("label", .string(prediction.label)), ("index", .integer(prediction.index)),
      ("score", .float(prediction.score)),
    ]
    for (key, text) in texts { if let text { members.append((key, translations(text))) } }
    return .object(members)
  }

  /// From the tags of languages to texts.
  private static func translations(_ text: TranslatedText) -> JSONText {
    .object(text.texts.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONText.string($0.value)) })
  }

  /// - Parameters:
  ///   - areProbabilities: whether scores are.
  ///   - damage: what is wrong with the picture's file.
  ///   - isTruncated: whether only the beginning of a text, or of a label, was read.
  private static func answer(
    _ model: String, scoring: JSONText, trainedScoring: JSONText = nil, areProbabilities: Bool,
    _ results: [JSONText],
    uncertainty: Uncertainty?, damage: String?, isTruncated: Bool, _ times: StageTimes
  ) -> JSONText {
    [
      "model": .string(model), "scoring": scoring, "trained_scoring": trainedScoring,
      "probabilities": .bool(areProbabilities),
      "results": .array(results),
      "uncertain": .bool(uncertainty != nil), "reason": .optional(uncertainty?.rawValue),
      "damage": .optional(damage), "truncated": .bool(isTruncated),
      "milliseconds": [
        "decode": .number(times.decode / .milliseconds(1)),
        "tokenize": .number(times.tokenize / .milliseconds(1)),
        "preprocess": .number(times.preprocess / .milliseconds(1)),
        "run": .number(times.run / .milliseconds(1)), "rank": .number(times.rank / .milliseconds(1)),
        "labels": .number(times.labels / .milliseconds(1)), "total": .number(times.total / .milliseconds(1)),
      ],
    ]
  }

  /// Labels and scores alone, as several dialects have them.
  static func scores(_ scores: [(label: String, score: Float)]) -> JSONText {
    .array(scores.map { ["label": .string($0.label), "score": .float($0.score)] })
  }
}
