import CLibrary

/// Distributions of several sets of samples laid over each other, with their medians.
package struct Histogram: Chart {
  package struct Samples: Sendable {
    package let series: Series
    package let values: [Double]

    package init(_ series: Series, _ values: [Double]) {
      self.series = series
      self.values = values.filter(\.isFinite).sorted()
    }

    /// The value below which a share of the samples lies.
    func quantile(_ share: Double) -> Double? {
      guard !values.isEmpty else { return nil }
      return values[min(Int(Double(values.count) * share), values.count - 1)]
    }
  }

  package let title: String
  package let summary: String
  let horizontal: Axis
  let samples: [Samples]

  package init(title: String, summary: String, horizontal: Axis, samples: [Samples]) {
    self.title = title
    self.summary = summary
    self.horizontal = horizontal
    self.samples = samples
  }

  package func drawing(width: Double) -> Markup {
    let (range, binCount) = bins(maximum: Int(width / 9))
    let shares = samples.map { self.shares($0, range, binCount) }
    let highest = Ticks.nice(0, max(shares.joined().max() ?? 1, 1e-3) * 100, count: 4)
    let vertical = Axis("Share of the runs", unit: NumberText.space + "%")
    let legend = Drawing.legendHeight(samples.map(\.series), x: 0, width: width)
    let plotHeight = min(max(width * 0.42, 170), 230)
    let left = PlotArea.tickRoom(vertical, highest, height: plotHeight)
    let top = legend + 24
    var drawing = Drawing(
      width: width, height: top + plotHeight + PlotArea.footer + (hidden(range) > 0 ? 16 : 0))
    drawing.legend(samples.map(\.series), x: 0, y: 0)
    let area = PlotArea(
      x: Scale(range.lowerBound, range.upperBound, onto: left, width - 18),
      y: Scale(highest.lowerBound, highest.upperBound, onto: top + plotHeight, top))
    area.drawAxes(horizontal, vertical, in: &drawing)
    for (samples, shares) in zip(samples, shares) { draw(samples, shares, area, in: &drawing) }
    if hidden(range) > 0 {
      drawing.text(
        "\(NumberText.count(hidden(range), "slower run")) beyond the right edge", "tick", x: width - 18,
        y: drawing.height - 4, anchor: .end)
    }
    return drawing.svg(title: title, summary: summary)
  }

  private func draw(
    _ samples: Samples, _ shares: [Double], _ area: PlotArea, in drawing: inout Drawing
  ) {
    guard !shares.isEmpty, let median = samples.quantile(0.5) else { return }
    let style = samples.series.style
    for run in Self.runs(shares) {
      let points = outline(run, shares, area)
      drawing.path("\(style) tint", points, isClosed: true)
      drawing.path("\(style) stroke thin", points)
    }
    guard area.x.contains(median) else { return }
    drawing.line("\(style) median", from: (area.x(median), area.bottom), to: (area.x(median), area.top - 3))
    drawing.marker(
      samples.series, x: area.x(median), y: area.top - 3, radius: 3.5,
      hover: "median of \(samples.series.name)")
  }

  /// The ranges of neighbouring bins that hold anything.
  private static func runs(_ shares: [Double]) -> [Range<Int>] {
    shares.indices.reduce(into: []) { runs, index in
      guard shares[index] > 0 else { return }
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
  }

  private func outline(_ run: Range<Int>, _ shares: [Double], _ area: PlotArea) -> [(x: Double, y: Double)] {
    let step = (area.right - area.left) / Double(shares.count)
    let tops = run.flatMap { bin in
      [bin, bin + 1].map { (x: area.left + step * Double($0), y: area.y(shares[bin] * 100)) }
    }
    let first = (x: area.left + step * Double(run.lowerBound), y: area.bottom)
    return [first] + tops + [(x: area.left + step * Double(run.upperBound), y: area.bottom)]
  }

  /// The range drawn, up to beyond the 99th percentile, and the number of bins by Freedman and Diaconis' rule
  /// (1981): twice the interquartile range over the cube root of the count is the width of one.
  private func bins(maximum: Int) -> (ClosedRange<Double>, Int) {
    let lowest = samples.compactMap(\.values.first).min() ?? 0
    let highest = samples.compactMap { $0.quantile(0.99) }.max() ?? 1
    let range = Ticks.nice(lowest, max(highest, lowest + max(abs(lowest), 1e-6) * 0.05), count: 8)
    let widths = samples.compactMap { samples -> Double? in
      guard let upper = samples.quantile(0.75), let lower = samples.quantile(0.25), upper > lower else {
        return nil
      }
      return 2 * (upper - lower) / cbrt(Double(samples.values.count))
    }
    let width = widths.min() ?? (range.upperBound - range.lowerBound) / 20
    let count = (range.upperBound - range.lowerBound) / width
    return (range, Int(min(max(count, 8), Double(max(maximum, 8)))))
  }

  /// Samples beyond the range.
  private func hidden(_ range: ClosedRange<Double>) -> Int {
    samples.reduce(0) { $0 + $1.values.count { $0 > range.upperBound } }
  }

  private func shares(_ samples: Samples, _ range: ClosedRange<Double>, _ count: Int) -> [Double] {
    guard !samples.values.isEmpty else { return [] }
    var bins = [Int](repeating: 0, count: count)
    let width = (range.upperBound - range.lowerBound) / Double(count)
    for value in samples.values where range.contains(value) {
      bins[min(max(Int((value - range.lowerBound) / width), 0), count - 1)] += 1
    }
    return bins.map { Double($0) / Double(samples.values.count) }
  }
}
