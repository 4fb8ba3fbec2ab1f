/// Differences with their confidence intervals beside a line at zero (a forest plot).
package struct DifferenceChart: Chart {
  package struct Row: Sendable {
    package let series: Series
    package let name: String
    package let value: Double
    package let interval: ClosedRange<Double>?
    package let label: String

    /// - Parameter label: the difference in words, written at the right.
    package init(
      _ series: Series, _ name: String, _ value: Double, interval: ClosedRange<Double>?, label: String
    ) {
      self.series = series
      self.name = name
      self.value = value
      self.interval = interval
      self.label = label
    }

    /// Whether the interval leaves zero out.
    var isClear: Bool { interval.map { !$0.contains(0) } ?? false }
  }

  package let title: String
  package let summary: String
  let rows: [Row]
  let axis: Axis
  /// The names of both sides of zero, such as "worse" and "better".
  let sides: (String, String)
  /// A loss that is marked, above 0; nil for none.
  let margin: Double?

  package init(
    title: String, summary: String, axis: Axis, sides: (String, String), rows: [Row], margin: Double? = nil
  ) {
    self.margin = margin
    self.title = title
    self.summary = summary
    self.axis = axis
    self.sides = sides
    self.rows = rows
  }

  package func drawing(width: Double) -> Markup {
    let drawn = rows.flatMap { [$0.value] + ($0.interval.map { [$0.lowerBound, $0.upperBound] } ?? []) }
    let ends = drawn + (margin.map { [$0] } ?? [])
    let reach = max(ends.filter(\.isFinite).map { abs($0) }.max() ?? 0, 1e-9)
    let range = axis.range ?? Ticks.nice(-reach, reach, count: 5)
    let isNarrow = width < 480
    let names = isNarrow ? 0 : min(rows.map { LabelText.width($0.name, size: 12) }.max() ?? 0, width * 0.34)
    let values = isNarrow ? 8 : (rows.map { LabelText.width($0.label, size: 12) }.max() ?? 0) + 16
    let pitch = isNarrow ? 46.0 : 32
    let height = 30 + pitch * Double(rows.count) + PlotArea.footer
    var drawing = Drawing(width: width, height: height)
    let x = Scale(range.lowerBound, range.upperBound, onto: names + 18, width - values)
    drawFrame(x, bottom: height - PlotArea.footer, in: &drawing)
    for (index, row) in rows.enumerated() {
      let top = 30 + pitch * Double(index)
      let middle = isNarrow ? top + 32 : top + pitch / 2
      let nameWidth = isNarrow ? width * 0.5 : names + 2
      drawing.text(
        LabelText.fitted(row.name, width: nameWidth, size: 12), x: 0, y: isNarrow ? top + 15 : middle + 4,
        hover: row.name)
      drawing.text(row.label, "value", x: width, y: isNarrow ? top + 15 : middle + 4, anchor: .end)
      draw(row, x, middle: middle, in: &drawing)
    }
    return drawing.svg(title: title, summary: summary)
  }

  private func drawFrame(_ x: Scale, bottom: Double, in drawing: inout Drawing) {
    let labels = AxisLabel.across(x, width: drawing.width) { NumberText.signed($1, $0.decimals) }
    for value in labels.map(\.value) {
      drawing.line(value == 0 ? "zero" : "grid", from: (x(value), 24), to: (x(value), bottom))
    }
    drawing.numbers(labels, y: bottom + 17)
    if let margin {
      drawing.line("median", from: (x(-margin), 24), to: (x(-margin), bottom), hover: "margin")
    }
    drawing.text("← " + sides.0, "name", x: x(0) - 10, y: 14, anchor: .end)
    drawing.text(sides.1 + " →", "name", x: x(0) + 10, y: 14)
    drawing.text(axis.name, "name", x: x.end, y: bottom + 35, anchor: .end)
  }

  private func draw(_ row: Row, _ x: Scale, middle: Double, in drawing: inout Drawing) {
    let style = row.isClear ? row.series.style : "muted"
    if let interval = row.interval {
      drawing.line(
        "\(style) interval", from: (x(interval.lowerBound), middle), to: (x(interval.upperBound), middle))
    }
    drawing.marker(
      row.series, x: x(row.value), y: middle, radius: 5, style: row.isClear ? "fill" : "muted fill",
      hover: "\(row.name): \(row.label)")
  }
}
