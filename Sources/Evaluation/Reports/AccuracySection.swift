import HTMLReport
import Statistics

extension ComparisonPage {
  /// How often each model is right.
  var accuracySection: Markup? {
    let models = report.models.indices.filter { report.models[$0].accuracy != nil }
    guard !models.isEmpty else { return nil }
    return .section(
      "Accuracy",
      about: [
        """
        How often the answer is right. The line at the end of each bar is the range in which the rate lies for \
        other data of this kind, with 95\u{202F}% confidence.
        """
      ], [.figure(accuracyChart(models)), accuracyTable(models)])
  }

  private func accuracyChart(_ models: [Int]) -> IntervalBarChart {
    func bars(_ rate: (AccuracyReport) -> Proportion?) -> [IntervalBarChart.Bar] {
      models.compactMap { position in
        guard let rate = report.models[position].accuracy.flatMap(rate) else { return nil }
        return IntervalBarChart.Bar(
          series(position), rate.value * 100, interval: ReportText.range(rate.interval),
          label: NumberText.percent(rate.value))
      }
    }
    let top5 = bars(\.top5)
    let groups =
      [IntervalBarChart.Group("First answer", bars(\.top1))]
      + (top5.isEmpty ? [] : [IntervalBarChart.Group("Among the first five", top5)])
    let summary = groups.flatMap(\.bars).map { "\($0.series.name): \($0.label)" }.joined(separator: ", ")
    return IntervalBarChart(
      title: "Right answers", summary: summary,
      axis: Axis("Share of \(samples(report.data.samples.count))", range: 0...100, unit: Self.percentSign),
      groups: groups)
  }

  static var percentSign: String { NumberText.space + "%" }

  private func accuracyTable(_ models: [Int]) -> Markup {
    var table = DataTable(
      caption: "Accuracy in figures", [([], .text)] + models.map { ([key($0)], .number) })
    func row(_ name: String, _ cell: (AccuracyReport) -> [Markup]) {
      table.append([[.text(name)]] + models.map { report.models[$0].accuracy.map(cell) ?? ["–"] })
    }
    row("First answer right") { Self.cell($0.top1) }
    if models.contains(where: { report.models[$0].accuracy?.top5 != nil }) {
      row("Among the first five") { $0.top5.map(Self.cell) ?? ["–"] }
    }
    row("Macro F1 (every class counts the same)") { Self.cell($0.macroF1, $0.macroF1Interval) }
    row("Calibration error, without what chance adds") {
      $0.calibrationError.map { Self.cell($0.value, $0.interval) } ?? ["–"]
    }
    return table.markup
  }

  private static func cell(_ value: Double, _ interval: Interval?) -> [Markup] {
    let range = interval.map { "\(NumberText.decimal($0.lower, 3))–\(NumberText.decimal($0.upper, 3))" }
    return [.text(NumberText.decimal(value, 3))] + (range.map { [.tag("small", [.text($0)])] } ?? [])
  }

  private static func cell(_ rate: Proportion) -> [Markup] {
    [
      .text(NumberText.percent(rate.value)),
      .tag("small", [.text(ReportText.percent(rate.interval))]),
    ]
  }
}
