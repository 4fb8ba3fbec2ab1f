/// Lines through points, one for each series.
package struct LineChart: Chart {
  package struct Line: Sendable {
    package let series: Series
    package let points: [Point]
    package let isDashed: Bool

    package init(_ series: Series, _ points: [Point], isDashed: Bool = false) {
      self.series = series
      self.points = points.filter { $0.x.isFinite && $0.y.isFinite }
      self.isDashed = isDashed
    }
  }

  package struct Point: Sendable {
    package let x: Double
    package let y: Double

    package init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  package let title: String
  package let summary: String
  let horizontal: Axis
  let vertical: Axis
  let lines: [Line]

  package init(title: String, summary: String, horizontal: Axis, vertical: Axis, lines: [Line]) {
    self.title = title
    self.summary = summary
    self.horizontal = horizontal
    self.vertical = vertical
    self.lines = lines
  }

  package func drawing(width: Double) -> Markup {
    let points = lines.flatMap(\.points)
    let across = horizontal.range ?? Self.range(points.map(\.x))
    let upright = vertical.range ?? Self.range(points.map(\.y))
    let plotHeight = min(max(width * 0.5, 190), 260)
    let left = PlotArea.tickRoom(vertical, upright, height: plotHeight)
    let series = lines.map(\.series).reduce(into: [Series]()) { if !$0.contains($1) { $0.append($1) } }
    let top = Drawing.legendHeight(series, x: 0, width: width) + 22
    var drawing = Drawing(width: width, height: top + plotHeight + PlotArea.footer)
    drawing.legend(series, x: 0, y: 0)
    let area = PlotArea(
      x: Scale(across.lowerBound, across.upperBound, onto: left, width - 18),
      y: Scale(upright.lowerBound, upright.upperBound, onto: top + plotHeight, top))
    area.drawAxes(horizontal, vertical, in: &drawing)
    for line in lines { draw(line, area, in: &drawing) }
    return drawing.svg(title: title, summary: summary)
  }

  private func draw(_ line: Line, _ area: PlotArea, in drawing: inout Drawing) {
    let points = line.points.map { (x: area.x($0.x), y: area.y($0.y)) }
    drawing.path("\(line.series.style) stroke\(line.isDashed ? " dashed" : "")", points)
    // Marks of many points would hide the line.
    let step = max(points.count / 12, 1)
    for index in stride(from: 0, to: points.count, by: step) where !line.isDashed {
      drawing.marker(line.series, x: points[index].x, y: points[index].y, radius: 3)
    }
  }

  private static func range(_ values: [Double]) -> ClosedRange<Double> {
    Ticks.nice(values.min() ?? 0, values.max() ?? 1, count: 5)
  }
}
