/// A confusion matrix: a row for each true class, a column for each answer, darker where more of the row went.
package struct HeatMap: Chart {
  package let title: String
  package let summary: String
  let labels: [String]
  /// `counts[truth][answer]`.
  let counts: [[Int]]

  /// Above this many classes a matrix is no longer readable.
  package static let maximumClasses = 50

  package init(title: String, summary: String, labels: [String], counts: [[Int]]) {
    self.title = title
    self.summary = summary
    self.labels = Array(labels.prefix(Self.maximumClasses))
    self.counts = counts
  }

  package func drawing(width: Double) -> Markup {
    let count = Double(max(labels.count, 1))
    let widest = labels.map { LabelText.width($0, size: 11) }.max() ?? 0
    let names = min(widest + 8, width * 0.3, 150)
    let cell = min((width - names) / count, 44)
    // Below this no label fits; the drawing for wide screens has them.
    let hasLabels = cell >= 9
    let left = hasLabels ? names : 46
    let size = hasLabels ? cell : min((width - left) / count, 44)
    let top = hasLabels ? left + 20 : 26
    var drawing = Drawing(width: width, height: top + size * count + 4)
    drawing.text("Answer →", "name", x: left, y: 12)
    drawing.text("Truth ↓", "name", x: left - 6, y: top - 6, anchor: .end)
    for (index, label) in labels.enumerated() where hasLabels {
      let middle = size * (Double(index) + 0.5) + 4
      drawing.text(
        LabelText.fitted(label, width: left - 6, size: 11), "tick", x: left - 6, y: top + middle,
        anchor: .end,
        hover: label)
      drawing.upwardText(
        LabelText.fitted(label, width: left - 6, size: 11), "tick", x: left + middle, y: top - 6, hover: label
      )
    }
    drawing.rectangle("cells", x: left, y: top, width: size * count, height: size * count)
    for row in labels.indices { draw(row: row, left, top, size, in: &drawing) }
    return drawing.svg(title: title, summary: summary)
  }

  private func draw(row: Int, _ left: Double, _ top: Double, _ size: Double, in drawing: inout Drawing) {
    guard counts.indices.contains(row) else { return }
    let total = counts[row].reduce(0, +)
    guard total > 0 else { return }
    for (column, count) in counts[row].enumerated() where count > 0 && column < labels.count {
      let share = Double(count) / Double(total)
      // Rare confusions must still be seen.
      let level = min(Int((0.12 + 0.88 * share) * 10), 10)
      let style = row == column ? "s0" : "s1"
      let x = left + size * Double(column), y = top + size * Double(row)
      drawing.rectangle(
        "\(style) fill d\(level)", x: x + 0.5, y: y + 0.5, width: size - 1, height: size - 1,
        hover: "\(labels[row]) taken for \(labels[column]): \(count) of \(total)")
      if size >= 22 {
        drawing.text(
          "\(count)", level > 5 ? "cell light" : "cell", x: x + size / 2, y: y + size / 2 + 4, anchor: .middle
        )
      }
    }
  }
}
