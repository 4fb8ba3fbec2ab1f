import HTMLReport

extension ComparisonPage {
  /// Which classes are taken for which.
  var confusionSection: Markup? {
    let models = report.models.indices.filter { report.models[$0].accuracy?.confusion.isEmpty == false }
    guard !models.isEmpty else { return nil }
    let classes = Set(
      models.flatMap { report.models[$0].accuracy?.confusion ?? [] }.flatMap { [$0.truth, $0.answer] }
    ).sorted()
    let isDrawn = classes.count > 1 && classes.count <= HeatMap.maximumClasses
    let size: Markup.ChartSize = classes.count <= 12 ? .half : .full
    let maps = isDrawn ? models.map { Markup.figure(confusionMap($0, classes), size) } : []
    let tables = models.compactMap { confusionTable($0, classCount: classes.count) }
    return .section(
      "Confusions",
      about: [
        .text(
          isDrawn
            ? "Rows are the true classes, columns the answers. What lies on the diagonal is right."
            : "The most frequent mistakes; a matrix of \(NumberText.count(classes.count)) classes would not be readable."
        )
      ],
      (size == .half && isDrawn ? [.columns(maps)] : maps) + [.columns(tables)])
  }

  private func confusionMap(_ position: Int, _ classes: [Int]) -> HeatMap {
    let places = Dictionary(uniqueKeysWithValues: zip(classes, classes.indices))
    var counts = [[Int]](repeating: [Int](repeating: 0, count: classes.count), count: classes.count)
    for cell in report.models[position].accuracy?.confusion ?? [] {
      guard let row = places[cell.truth], let column = places[cell.answer] else { continue }
      counts[row][column] += cell.count
    }
    return HeatMap(
      title: series(position).name, summary: "Confusion matrix of \(classes.count) classes.",
      labels: classes.map(className), counts: counts)
  }

  private func confusionTable(_ position: Int, classCount: Int) -> Markup? {
    let mistakes = (report.models[position].accuracy?.confusion ?? []).filter { $0.truth != $0.answer }
    guard !mistakes.isEmpty else { return nil }
    let sorted = mistakes.sorted { ($1.count, $0.truth, $0.answer) < ($0.count, $1.truth, $1.answer) }
    let shown = sorted.prefix(Self.confusionsShown)
    var table = DataTable(
      caption: "\(series(position).name): most frequent mistakes", isSortable: true,
      [(["Truth"], .text), (["Answer"], .text), (["Times"], .number)])
    for cell in shown {
      table.append([
        [.outside(className(cell.truth))], [.outside(className(cell.answer))],
        [.text(NumberText.count(cell.count))],
      ])
    }
    let rest = sorted.count - shown.count
    return .tag(
      "div",
      [
        table.markup,
        rest > 0 ? .note(["\(NumberText.count(rest, "other kind")) of mistake left out."]) : .none,
      ])
  }

  private static let confusionsShown = 10
}
