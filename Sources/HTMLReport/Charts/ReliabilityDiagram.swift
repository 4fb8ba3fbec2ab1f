/// How often answers are right, against how sure they were, with the number of answers below: a model that
/// knows how sure it may be lies on the diagonal.
package struct ReliabilityDiagram: Chart {
  package struct Bin: Sendable {
    /// The range of confidence, of 0…1.
    package let range: ClosedRange<Double>
    package let meanConfidence: Double
    package let accuracy: Double
    /// The interval of the accuracy for other data of this kind; nil if unknown.
    package let interval: ClosedRange<Double>?
    package let count: Int

    package init(
      range: ClosedRange<Double>, meanConfidence: Double, accuracy: Double,
      interval: ClosedRange<Double>? = nil,
      count: Int
    ) {
      self.interval = interval
      self.range = range
      self.meanConfidence = meanConfidence
      self.accuracy = accuracy
      self.count = count
    }
  }

  package let title: String
  package let summary: String
  let series: Series
  let bins: [Bin]

  package init(title: String, summary: String, series: Series, bins: [Bin]) {
    self.title = title
    self.summary = summary
    self.series = series
    self.bins = bins.filter { $0.count > 0 && $0.meanConfidence.isFinite && $0.accuracy.isFinite }
  }

  package func drawing(width: Double) -> Markup {
    let left = 44.0, top = 22.0
    let side = min(width - left - 18, 300)
    let strip = 44.0
    var drawing = Drawing(width: width, height: top + side + strip + PlotArea.footer + 8)
    let area = PlotArea(
      x: Scale(0, 1, onto: left, left + side), y: Scale(0, 1, onto: top + side, top))
    for value in [0, 0.25, 0.5, 0.75, 1] {
      drawing.line("grid", from: (left, area.y(value)), to: (area.right, area.y(value)))
      drawing.text(
        NumberText.percent(value, 0), "tick", x: left - 7, y: area.y(value) + 4, anchor: .end)
    }
    drawing.text("Right answers", "name", x: 0, y: top - 10)
    drawing.line("diagonal", from: (area.left, area.bottom), to: (area.right, area.top))
    for bin in bins { drawGap(bin, area, in: &drawing) }
    for bin in bins {
      if let interval = bin.interval {
        let x = area.x(bin.meanConfidence)
        drawing.line(
          "\(series.style) interval", from: (x, area.y(interval.lowerBound)),
          to: (x, area.y(interval.upperBound)))
      }
      drawing.marker(
        series, x: area.x(bin.meanConfidence), y: area.y(bin.accuracy), radius: 3.5, hover: Self.words(bin))
    }
    drawCounts(area, top: area.bottom + 8, height: strip, in: &drawing)
    return drawing.svg(title: title, summary: summary)
  }

  /// The distance from the diagonal.
  private func drawGap(_ bin: Bin, _ area: PlotArea, in drawing: inout Drawing) {
    let left = area.x(bin.range.lowerBound) + 1, right = area.x(bin.range.upperBound) - 1
    let ends = [area.y(bin.meanConfidence), area.y(bin.accuracy)].sorted()
    drawing.rectangle(
      "\(series.style) tint", x: left, y: ends[0], width: right - left, height: ends[1] - ends[0],
      hover: Self.words(bin))
  }

  /// How many answers each bin holds.
  private func drawCounts(_ area: PlotArea, top: Double, height: Double, in drawing: inout Drawing) {
    let most = Double(bins.map(\.count).max() ?? 1)
    for bin in bins {
      let left = area.x(bin.range.lowerBound) + 1, right = area.x(bin.range.upperBound) - 1
      let barHeight = max(Double(bin.count) / most * (height - 8), 1)
      drawing.rectangle(
        "\(series.style) fill half", x: left, y: top + height - barHeight, width: right - left,
        height: barHeight, hover: Self.words(bin))
    }
    let bottom = top + height
    drawing.text("n", "tick", x: area.left - 7, y: bottom - 2, anchor: .end)
    drawing.line("axis", from: (area.left, bottom), to: (area.right, bottom))
    for value in [0, 0.25, 0.5, 0.75, 1] {
      drawing.line("axis", from: (area.x(value), bottom), to: (area.x(value), bottom + 4))
      drawing.text(
        NumberText.percent(value, 0), "tick", x: area.x(value), y: bottom + 17, anchor: .middle)
    }
    drawing.text("Confidence of the answer", "name", x: area.right, y: bottom + 35, anchor: .end)
  }

  private static func words(_ bin: Bin) -> String {
    let range =
      "\(NumberText.decimal(bin.range.lowerBound * 100, 0))–\(NumberText.percent(bin.range.upperBound, 0))"
    return "\(range) sure: \(NumberText.percent(bin.accuracy)) of \(NumberText.count(bin.count)) right"
  }
}
