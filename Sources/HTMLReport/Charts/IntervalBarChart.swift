/// Horizontal bars from zero with confidence intervals, in named groups.
package struct IntervalBarChart: Chart {
  package struct Bar: Sendable {
    package let series: Series
    package let value: Double
    package let interval: ClosedRange<Double>?
    package let label: String

    /// - Parameter label: the value in words, written beside the bar.
    package init(_ series: Series, _ value: Double, interval: ClosedRange<Double>?, label: String) {
      self.series = series
      self.value = value
      self.interval = interval
      self.label = label
    }
  }

  package struct Group: Sendable {
    package let name: String
    package let bars: [Bar]

    package init(_ name: String, _ bars: [Bar]) {
      self.name = name
      self.bars = bars
    }
  }

  package let title: String
  package let summary: String
  let groups: [Group]
  let axis: Axis

  package init(title: String, summary: String, axis: Axis, groups: [Group]) {
    self.title = title
    self.summary = summary
    self.axis = axis
    self.groups = groups
  }

  package func drawing(width: Double) -> Markup {
    let bars = groups.flatMap(\.bars)
    let highest =
      bars.map { max($0.value, $0.interval?.upperBound ?? $0.value) }.filter(\.isFinite).max() ?? 1
    let range = axis.range ?? Ticks.nice(0, max(highest, 1e-12), count: 5)
    let names = min(
      bars.map { LabelText.width($0.series.name, size: 12) }.max() ?? 0, width * 0.34)
    let values = (bars.map { LabelText.width($0.label, size: 12) }.max() ?? 0) + 12
    let height = groups.reduce(0) { $0 + 24 + Double($1.bars.count) * Self.pitch + 10 } + PlotArea.footer - 6
    var drawing = Drawing(width: width, height: height)
    let x = Scale(
      range.lowerBound, range.upperBound, onto: names + 12, max(width - values, names + 60))
    let bottom = height - PlotArea.footer + 2
    drawAxis(x, bottom: bottom, in: &drawing)
    var y = 0.0
    for group in groups {
      drawing.text(group.name, "strong", x: 0, y: y + 15)
      y += 24
      for bar in group.bars {
        draw(bar, x, middle: y + Self.pitch / 2, names: names, in: &drawing)
        y += Self.pitch
      }
      y += 10
    }
    return drawing.svg(title: title, summary: summary)
  }

  private static let pitch = 30.0

  private func drawAxis(_ x: Scale, bottom: Double, in drawing: inout Drawing) {
    let labels = AxisLabel.across(x, width: drawing.width) { $0.label($1) + axis.unit }
    for value in labels.map(\.value) {
      drawing.line(value == 0 ? "axis" : "grid", from: (x(value), 24), to: (x(value), bottom))
    }
    drawing.numbers(labels, y: bottom + 16)
    drawing.text(axis.name, "name", x: x.end, y: bottom + 33, anchor: .end)
  }

  private func draw(_ bar: Bar, _ x: Scale, middle: Double, names: Double, in drawing: inout Drawing) {
    let name = bar.series.name
    drawing.text(
      LabelText.fitted(name, width: names + 2, size: 12), x: names + 2, y: middle + 4, anchor: .end,
      hover: name)
    drawing.rectangle(
      "\(bar.series.style) fill", x: x(0), y: middle - 8, width: x(bar.value) - x(0), height: 16,
      hover: "\(name): \(bar.label)")
    if let interval = bar.interval {
      let low = x(interval.lowerBound), high = x(interval.upperBound)
      drawing.line("whisker-edge", from: (low, middle), to: (high, middle))
      drawing.line("whisker", from: (low, middle), to: (high, middle))
      for end in [low, high] { drawing.line("whisker", from: (end, middle - 4), to: (end, middle + 4)) }
    }
    drawing.text(bar.label, "value", x: drawing.width, y: middle + 4, anchor: .end)
  }
}
