import HTMLReport
import Statistics

extension ComparisonPage {
  /// What the models' own thresholds and rejections make of their answers, side by side; nothing where they have none.
  var certaintyTables: [Markup] {
    let models = report.models.indices.filter { report.models[$0].certainty != nil }
    guard !models.isEmpty else { return [] }
    let pairs = report.pairs.compactMap { pair in pair.certainty.map { (pair, $0) } }
    return [
      .paragraph([
        """
        Each model calls some answers uncertain itself, by the threshold and the rejection that it comes with: those are \
        what classify marks.
        """
      ]), certaintyTable(models), changeTable(pairs),
    ]
  }

  private func certaintyTable(_ models: [Int]) -> Markup {
    var table = DataTable(
      caption: "Certain by the model’s own rule", [([], .text)] + models.map { ([key($0)], .number) })
    func row(_ name: String, _ cell: (CertaintyReport) -> [Markup]?) {
      let cells = models.map { report.models[$0].certainty.flatMap(cell) }
      if cells.contains(where: { $0 != nil }) { table.append([[.text(name)]] + cells.map { $0 ?? ["–"] }) }
    }
    row("Certain answers") { Self.share($0.certain) }
    row("Right of these") { $0.right.map(Self.share) }
    row("Score too low") { certainty in
      guard let threshold = certainty.threshold, threshold > 0 else { return nil }
      let limit = "below \(NumberText.percent(Double(threshold), 0))"
      return [.text(NumberText.percent(certainty.lowScore.value)), .tag("small", [.text(limit)])]
    }
    row("Foreign pictures") { certainty in
      certainty.noveltyThreshold.map { _ in [.text(NumberText.percent(certainty.foreign.value))] }
    }
    return table.markup
  }

  private func changeTable(_ pairs: [(PairReport, CertaintyChange)]) -> Markup {
    var table = DataTable(
      caption: "What that changes, in points",
      [(["Pair"], .text), (["Certain answers"], .number), (["Right of these"], .number)])
    for (pair, change) in pairs {
      table.append([
        names(pair.baseline, pair.other), Self.points(change.certain, change.certainInterval),
        change.right.map { Self.points($0.value, $0.interval) } ?? ["–"],
      ])
    }
    return table.markup
  }

  private static func share(_ rate: Proportion) -> [Markup] {
    [.text(NumberText.percent(rate.value)), .tag("small", [.text(ReportText.percent(rate.interval))])]
  }

  private static func points(_ value: Double, _ interval: Interval) -> [Markup] {
    [.text(ReportText.points(value)), .tag("small", [.text(ReportText.points(interval))])]
  }
}
