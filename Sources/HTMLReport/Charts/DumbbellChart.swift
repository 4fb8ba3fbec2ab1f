/// What two series say of each of many things: two marks joined by a line.
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
    let names = min(rows.map { LabelText.width($0.name, size: 12) }.max() ?? 0, width * 0.36)
    let values = (rows.map { LabelText.width($0.label, size: 12) }.max() ?? 0) + 16
    let legend = Drawing.legendHeight([from, to], x: 0, width: width)
    let bottom = legend + 10 + Self.pitch * Double(rows.count)
    var drawing = Drawing(width: width, height: bottom + PlotArea.footer)
    drawing.legend([from, to], x: 0, y: 0)
    let x = Scale(range.lowerBound, range.upperBound, onto: names + 18, width - values)
    let ticks = Ticks.of(x, count: max(Int((x.end - x.start) / 70), 2))
    for value in ticks.values {
      drawing.line("grid", from: (x(value), legend), to: (x(value), bottom))
      drawing.text(ticks.label(value) + axis.unit, "tick", x: x(value), y: bottom + 17, anchor: .middle)
    }
    drawing.text(axis.name, "name", x: x.end, y: bottom + 35, anchor: .end)
    for (index, row) in rows.enumerated() {
      draw(row, x, names: names, middle: legend + 10 + Self.pitch * (Double(index) + 0.5), in: &drawing)
    }
    return drawing.svg(title: title, summary: summary)
  }

  private static let pitch = 22.0

  private func draw(_ row: Row, _ x: Scale, names: Double, middle: Double, in drawing: inout Drawing) {
    drawing.text(
      LabelText.fitted(row.name, width: names + 2, size: 12), x: names + 2, y: middle + 4, anchor: .end,
      hover: row.name)
    drawing.line("link", from: (x(row.from), middle), to: (x(row.to), middle), hover: row.label)
    drawing.marker(from, x: x(row.from), y: middle, radius: 4.5)
    drawing.marker(to, x: x(row.to), y: middle, radius: 4.5)
    drawing.text(row.label, "value", x: drawing.width, y: middle + 4, anchor: .end)
  }
}
