/// Two series over many rows: two marks in each, joined by a line.
package struct DumbbellChart: Chart {
  package struct Row: Sendable {
    package let name: String
    package let from: Double
    package let to: Double
    package let label: String

    package init(_ name: String, from: Double, to: Double, label: String) {
      self.name = name
      self.from = from
      self.to = to
      self.label = label
    }
  }

  package let title: String
  package let summary: String
  let axis: Axis
  let from: Series
  let to: Series
  let rows: [Row]

  package init(title: String, summary: String, axis: Axis, from: Series, to: Series, rows: [Row]) {
    self.title = title
    self.summary = summary
    self.axis = axis
    self.from = from
    self.to = to
    self.rows = rows
  }

  package func drawing(width: Double) -> Markup {
    let ends = rows.flatMap { [$0.from, $0.to] }.filter(\.isFinite)
    let range = axis.range ?? Ticks.nice(min(ends.min() ?? 0, 0), ends.max() ?? 1, count: 5)
    let isNarrow = width < 480
    let names = isNarrow ? 0 : min(rows.map { LabelText.width($0.name, size: 12) }.max() ?? 0, width * 0.36)
    let values = isNarrow ? 8 : (rows.map { LabelText.width($0.label, size: 12) }.max() ?? 0) + 16
    let pitch = isNarrow ? 44.0 : 22
    let legend = Drawing.legendHeight([from, to], x: 0, width: width)
    let bottom = legend + 10 + pitch * Double(rows.count)
    var drawing = Drawing(width: width, height: bottom + PlotArea.footer)
    drawing.legend([from, to], x: 0, y: 0)
    let x = Scale(range.lowerBound, range.upperBound, onto: names + 18, max(width - values, names + 60))
    let labels = AxisLabel.across(x, width: width) { $0.label($1) + axis.unit }
    for value in labels.map(\.value) {
      drawing.line("grid", from: (x(value), legend), to: (x(value), bottom))
    }
    drawing.numbers(labels, y: bottom + 17)
    drawing.text(axis.name, "name", x: x.end, y: bottom + 35, anchor: .end)
    for (index, row) in rows.enumerated() {
      let top = legend + 10 + pitch * Double(index)
      let middle = isNarrow ? top + 32 : top + pitch / 2
      let text = isNarrow ? top + 15 : middle + 4
      let room = isNarrow ? max(width - LabelText.width(row.label, size: 12) - 12, width * 0.3) : names + 2
      drawing.text(
        LabelText.fitted(row.name, width: room, size: 12), x: isNarrow ? 0 : room, y: text,
        anchor: isNarrow ? .start : .end, hover: row.name)
      drawing.text(
        LabelText.fitted(row.label, width: width * 0.68, size: 12), "value", x: width, y: text, anchor: .end)
      draw(row, x, middle: middle, in: &drawing)
    }
    return drawing.svg(title: title, summary: summary)
  }

  private func draw(_ row: Row, _ x: Scale, middle: Double, in drawing: inout Drawing) {
    drawing.line("link", from: (x(row.from), middle), to: (x(row.to), middle), hover: row.label)
    drawing.marker(from, x: x(row.from), y: middle, radius: 4.5)
    drawing.marker(to, x: x(row.to), y: middle, radius: 4.5)
  }
}
