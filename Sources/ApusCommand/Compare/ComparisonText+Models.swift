import CommandSupport
import Evaluation
import Statistics

extension ComparisonText {
  /// The figures of each model, side by side.
  var models: [String] {
    var table = Table([("", .left)] + report.models.map { ($0.letter, .right) })
    func row(_ name: String, _ value: (ModelReport) -> String?) {
      let cells = report.models.map(value)
      if cells.contains(where: { $0 != nil }) { table.append([name] + cells.map { $0 ?? "" }) }
    }
    row("right (top-1)") { $0.accuracy.map { Self.share($0.top1) } }
    row("  95 % interval") { $0.accuracy.map { Self.range($0.top1.interval) } }
    row("among the best 5") { $0.accuracy?.top5.map { Self.share($0) } }
    row("  95 % interval") { $0.accuracy?.top5.map { Self.range($0.interval) } }
    row("macro F1") { $0.accuracy.map { Format.decimal($0.macroF1, 3) } }
    row("  95 % interval") { $0.accuracy?.macroF1Interval.map(Self.decimals) }
    row("calibration error") {
      $0.accuracy.map { $0.calibrationError.map { Format.decimal($0.value, 3) } ?? "–" }
    }
    row("  95 % interval") { $0.accuracy?.calibrationError.map { Self.decimals($0.interval) } }
    row("certain, by its own rule") { $0.certainty.map { Self.share($0.certain) } }
    row("  95 % interval") { $0.certainty.map { Self.range($0.certain.interval) } }
    if report.models.contains(where: { $0.certainty?.noveltyThreshold != nil }) {
      row("  foreign") { $0.certainty.map { Self.share($0.foreign) } }
    }
    row("  score too low") { $0.certainty.map { "\(Self.share($0.lowScore))\(Self.below($0.threshold))" } }
    row("right of the certain") { $0.certainty?.right.map { Self.share($0) } }
    row("  95 % interval") { $0.certainty?.right.map { Self.range($0.interval) } }
    row("mean score") {
      $0.hasAnswers ? Format.decimal($0.confidences.map(Double.init).mean, 3) : "–"
    }
    row("size on disk") { Format.bytes($0.cost.byteCount) }
    row("memory, weights and runs") { Format.bytes($0.cost.memoryByteCount) }
    row("working memory of a run") { Format.bytes($0.cost.workspaceByteCount) }
    row("loading, ms") { Format.decimal($0.cost.loadMilliseconds, 1) }
    row("preparing a sample, ms") { Format.decimal($0.cost.preparationMedian, 2) }
    row("a run, p50, ms") { Format.decimal($0.cost.median, 2) }
    row("a run, p95, ms") { Format.decimal($0.cost.p95, 2) }
    row("  over that of A") { speed(of: $0).map { Format.decimal($0.value, 2) } }
    row("  95 % interval") { speed(of: $0)?.interval.map(Self.decimals) }
    row("samples per second") { Format.decimal($0.cost.throughput, 1) }
    return table.lines
  }

  /// The effect of thresholds below which answers are uncertain.
  var thresholds: [String] {
    let kept = [0.25, 0.5, 0.75, 0.9, 0.95]
    let isLabelled = report.data.isLabelled
    var table = Table(
      [("uncertain below", .right)]
        + report.models.flatMap { model -> [(String, Table.Alignment)] in
          [("\(model.letter) certain", .right)] + (isLabelled ? [("right of these", .right)] : [])
        })
    for threshold in kept {
      let points = report.models.compactMap { $0.sweep.first { $0.threshold == threshold } }
      table.append(
        [Format.decimal(threshold)]
          + points.flatMap { point in
            [Self.percent(point.coverage)] + (isLabelled ? [point.precision.map(Self.percent) ?? "–"] : [])
          })
    }
    return table.lines
  }

  /// ` (< 0.75)`.
  private static func below(_ threshold: Float?) -> String {
    threshold.map { $0 > 0 ? " (< \(Format.decimal(Double($0), 2)))" : "" } ?? ""
  }

  static func percent(_ share: Double) -> String { Format.decimal(100 * share, 1) + " %" }

  static func share(_ proportion: Proportion) -> String { percent(proportion.value) }

  /// How much longer a run takes than the baseline's.
  private func speed(of model: ModelReport) -> SpeedRatio? {
    report.pairs.first { report.models[$0.other].letter == model.letter }?.speed
  }

  private static func decimals(_ interval: Interval) -> String {
    "\(Format.decimal(interval.lower, 3)) … \(Format.decimal(interval.upper, 3))"
  }

  static func range(_ interval: Interval) -> String {
    "\(Format.decimal(100 * interval.lower, 1)) … \(Format.decimal(100 * interval.upper, 1))"
  }
}
