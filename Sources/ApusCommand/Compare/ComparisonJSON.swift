import CommandSupport
import Evaluation
import Statistics

extension ComparisonReport {
  /// Everything that was found. Samples and classes stand in lists once, and elsewhere by their positions.
  /// - Parameter failure: what a check that was asked for found.
  func json(failure: String?) -> JSON {
    let error: [JSON.Member] = failure.map { [("error", .string($0))] } ?? []
    let ending = error + [JSON.madeBy]
    return .object(
      [
        ("task", .string("\(task)")), ("data", data.json), ("models", .array(models.map(\.json))),
        ("pairs", .array(pairs.map(json))), ("further_pairs", .array(furtherPairs.map(json))),
        ("culprits", .array(culprits.map(json))),
        ("layers", .array(layers.map(json(_:)))), ("provenance", provenance.json),
      ] + ending)
  }

  func letter(_ model: Int) -> JSON { .string(models[model].letter) }

  private func json(_ pair: PairReport) -> JSON {
    .object([
      ("baseline", letter(pair.baseline)), ("other", letter(pair.other)), ("agreement", pair.agreement.json),
      ("kappa", .number(pair.kappa)), ("divergence", pair.divergence.json), ("cosine", pair.cosine.json),
      ("accuracy", pair.accuracy.json), ("top5", pair.top5.json), ("flips", .array(pair.flips.map(\.json))),
      ("classes", .array(pair.classes.map(\.json))), ("verdict", .string(pair.verdict)),
      ("margin", pair.margin.json), ("speed", pair.speed.json),
      ("certainty", pair.certainty?.json ?? .null), ("settings", .array(pair.settings.map(\.json))),
      ("advice", .optional(pair.advice)),
    ])
  }

  private func json(_ pair: ModelPair) -> JSON {
    .object([
      ("first", letter(pair.first)), ("second", letter(pair.second)), ("agreement", pair.agreement.json),
      ("accuracy", pair.accuracy.json), ("flips", .array(pair.flips.map(\.json))),
      ("verdict", .string(pair.verdict)), ("speed", pair.speed.json),
    ])
  }

  private func json(_ culprit: Culprit) -> JSON {
    .object([
      ("kind", .string(culprit.kind.rawValue)), ("model", culprit.model.map(letter) ?? .null),
      ("certainty", .string(culprit.certainty.rawValue)), ("statement", .string(culprit.statement)),
      ("advice", .string(culprit.advice)),
      (
        "evidence",
        .array(culprit.evidence.map { .object([("name", .string($0.name)), ("value", .number($0.value))]) })
      ),
    ])
  }
}

extension SettingDifference {
  fileprivate var json: JSON {
    .object([
      ("file", .string(file)), ("key", .string(key)), ("baseline", .optional(baseline)),
      ("other", .optional(other)),
    ])
  }
}

extension DataReport {
  fileprivate var json: JSON {
    .object(
      JSON.file(path, as: "path") + [
        ("form", .string(form)), ("labelled", .bool(isLabelled)),
        ("matching", .optional(matching)), ("samples", .integer(samples.count)),
        ("available", .integer(available)),
        ("classes", .array(classes.map(JSON.string))),
        (
          "skipped",
          .array(skipped.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
        ),
        (
          "groups",
          groups.map {
            .object([
              ("source", .string($0.source)), ("count", .integer($0.count)),
              ("members", .array($0.members.map(JSON.integer))),
            ])
          } ?? .null
        ),
        ("copies", copies.map { .array($0.groups.map { .array($0.map(JSON.integer)) }) } ?? .null),
        ("items", .array(samples.map(\.json))),
      ])
  }
}

extension SampleReport {
  fileprivate var json: JSON {
    let content: [JSON.Member] =
      switch content {
      case .picture(let path): JSON.file(path)
      case .text(let text): [("text", .string(text))]
      }
    return .object(content + [("label", label.map(JSON.integer) ?? .null)])
  }
}

extension ModelReport {
  fileprivate var json: JSON {
    .object(
      [("letter", .string(letter)), ("name", .string(name))] + JSON.file(path, as: "path") + [
        ("kind", .string(kind)),
        computation.member,
        ("classes", .integer(classCount)), ("preprocess", .string(preprocessing)), ("cost", cost.json),
        ("accuracy", accuracy?.json ?? .null), ("certainty", certainty?.json ?? .null),
        ("thresholds", .array(sweep.map(\.json))),
        ("answers", .array(answers.map(JSON.integer))), ("confidences", .array(confidences.map(JSON.float))),
      ])
  }
}

extension CostReport {
  fileprivate var json: JSON {
    .object([
      ("bytes", .integer(byteCount)), ("memory_bytes", .integer(memoryByteCount)),
      ("workspace_bytes", .integer(workspaceByteCount)),
      ("load_milliseconds", PredictionTable.milliseconds(loadMilliseconds)),
      (
        "milliseconds",
        .object([
          ("p50", PredictionTable.milliseconds(median)), ("p95", PredictionTable.milliseconds(p95)),
          ("preparation", PredictionTable.milliseconds(preparationMedian)),
          ("runs", .array(runMilliseconds.map(PredictionTable.milliseconds))),
        ])
      ),
      ("per_second", .number(throughput)),
    ])
  }
}

extension AccuracyReport {
  fileprivate var json: JSON {
    .object([
      ("top1", top1.json), ("top5", top5?.json ?? .null), ("macro_f1", .number(macroF1)),
      ("macro_f1_interval", macroF1Interval?.json ?? .null),
      ("classes", .array(classes.map(\.json))),
      (
        "confusion",
        .array(
          confusion.map {
            .object([
              ("truth", .integer($0.truth)), ("answer", .integer($0.answer)), ("count", .integer($0.count)),
            ])
          })
      ),
      ("calibration", calibration.json),
      ("calibration_error", calibrationError.map { .number($0.value) } ?? .null),
      ("calibration_interval", calibrationError?.interval.json ?? .null),
    ])
  }
}

extension ClassReport {
  fileprivate var json: JSON {
    .object([
      ("class", .integer(label)), ("support", .integer(metrics.support)),
      ("predicted", .integer(metrics.predicted)), ("precision", .number(metrics.precision)),
      ("recall", .number(metrics.recall)), ("f1", .number(metrics.f1)),
    ])
  }
}

extension Flip {
  fileprivate var json: JSON {
    .object([
      ("sample", .integer(sample)), ("kind", .string(kind.rawValue)), ("baseline", Self.json(baseline)),
      ("other", Self.json(other)),
    ])
  }

  private static func json(_ answer: Answer) -> JSON {
    .object([("class", .integer(answer.label)), ("score", .float(answer.score))])
  }
}

extension ClassChange {
  fileprivate var json: JSON {
    .object([
      ("class", .integer(label)), ("support", .integer(baseline.support)),
      ("recall", .array([.number(baseline.recall), .number(other.recall)])),
      ("f1", .array([.number(baseline.f1), .number(other.f1)])),
    ])
  }
}

extension Provenance {
  fileprivate var json: JSON {
    .object([
      ("date", .string(date)), ("arguments", .array(arguments.map(JSON.string))),
      ("seed", .integer(Int(clamping: seed))), ("resamples", .integer(resamples)),
      ("limit", limit.map(JSON.integer) ?? .null),
      ("threads", .integer(threads)), ("processor", .string(processor)), ("kernels", .string(kernelSet)),
      ("optimized", .bool(isOptimized)), ("other_load", otherLoad.map(JSON.number) ?? .null),
      (
        "versions",
        .array(versions.map { .object([("name", .string($0.name)), ("version", .string($0.version))]) })
      ),
    ])
  }
}
