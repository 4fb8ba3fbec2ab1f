import HTMLReport
import Statistics

extension ComparisonPage {
  /// The classes that gained or lost most.
  var classSection: Markup? {
    let charts = report.pairs.flatMap { pair -> [Markup] in
      guard let chart = classChart(pair) else { return [] }
      return heading(pair.baseline, pair.other) + [chart]
    }
    guard !charts.isEmpty else { return nil }
    return .section(
      "Class by class",
      about: ["How much of each class is found by each model. Classes of few examples change by chance."],
      charts)
  }

  private func classChart(_ pair: PairReport) -> Markup? {
    let changed = pair.classes.filter { $0.recallChange != 0 }
    guard !changed.isEmpty else { return nil }
    let sorted = changed.sorted {
      (abs($1.recallChange), $1.baseline.support, $0.label) < (
        abs($0.recallChange), $0.baseline.support, $1.label
      )
    }
    let rows = sorted.prefix(Self.classesShown).sorted { $0.recallChange < $1.recallChange }.map { change in
      DumbbellChart.Row(
        className(change.label), from: change.baseline.recall * 100, to: change.other.recall * 100,
        label: NumberText.points(change.recallChange, 0))
    }
    let rest = changed.count - rows.count
    let unchanged = pair.classes.count - changed.count
    return .figure(
      DumbbellChart(
        title: "Classes that changed most",
        summary: rows.map { "\($0.name): \($0.label) points" }.joined(separator: "; "),
        axis: Axis("Found, with the change in points at the right", range: 0...100, unit: Self.percentSign),
        from: series(pair.baseline), to: series(pair.other), rows: rows),
      caption: [
        """
        \(rest > 0 ? "\(NumberText.count(rest, "class", "classes")) with smaller changes left out; " : "")\
        \(NumberText.count(unchanged, "class", "classes")) did not change.
        """
      ])
  }

  private static let classesShown = 20
}
