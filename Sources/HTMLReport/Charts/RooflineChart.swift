import CLibrary

/// The rate of kernels against their operations per byte, under the ceilings of the processor (Williams, Waterman and
/// Patterson, "Roofline", 2009). Both axes are logarithmic.
package struct RooflineChart: Chart {
  /// A ceiling of arithmetic.
  package struct Ceiling: Sendable {
    package let name: String
    /// Thousand million operations a second.
    package let gigaflops: Double

    package init(_ name: String, gigaflops: Double) {
      self.name = name
      self.gigaflops = gigaflops
    }
  }

  package struct Point: Sendable {
    package let series: Series
    package let name: String
    /// Operations for each byte of memory that must be moved.
    package let intensity: Double
    package let gigaflops: Double

    package init(_ series: Series, name: String, intensity: Double, gigaflops: Double) {
      self.series = series
      self.name = name
      self.intensity = intensity
      self.gigaflops = gigaflops
    }

    var isDrawable: Bool { intensity > 0 && gigaflops > 0 && intensity.isFinite && gigaflops.isFinite }
  }

  package let title: String
  package let summary: String
  let ceilings: [Ceiling]
  /// Bytes the memory gives, in thousand millions a second.
  let bandwidth: Double
  let points: [Point]

  package init(title: String, summary: String, ceilings: [Ceiling], bandwidth: Double, points: [Point]) {
    self.title = title
    self.summary = summary
    self.ceilings = ceilings.filter { $0.gigaflops > 0 && $0.gigaflops.isFinite }
      .sorted { $0.gigaflops < $1.gigaflops }
    self.bandwidth = bandwidth
    self.points = points.filter(\.isDrawable)
  }

  package func drawing(width: Double) -> Markup {
    let series = points.map(\.series).reduce(into: [Series]()) { if !$0.contains($1) { $0.append($1) } }
    let top = Drawing.legendHeight(series, x: 0, width: width) + 26
    let plotHeight = min(max(width * 0.62, 240), 440)
    var drawing = Drawing(width: width, height: top + plotHeight + PlotArea.footer)
    drawing.legend(series, x: 0, y: 0)
    let across = Self.decades(
      points.map(\.intensity) + ceilings.map { $0.gigaflops / max(bandwidth, 1e-9) * 2 })
    let upright = Self.decades(points.map(\.gigaflops) + ceilings.map(\.gigaflops))
    let vertical = Axis("Thousand million operations a second")
    let left = max(52, PlotArea.tickRoom(vertical, upright, height: plotHeight, .logarithmic))
    let area = PlotArea(
      x: Scale(across.lowerBound, across.upperBound, onto: left, width - 18, .logarithmic),
      y: Scale(upright.lowerBound, upright.upperBound, onto: top + plotHeight, top, .logarithmic))
    area.drawAxes(Axis("Operations for each byte"), vertical, in: &drawing)
    drawCeilings(area, in: &drawing)
    for point in points {
      drawing.marker(
        point.series, x: area.x(point.intensity), y: area.y(point.gigaflops), radius: 4.5,
        hover: "\(point.name): \(NumberText.significant(point.gigaflops, 3)) GFLOP/s")
    }
    return drawing.svg(title: title, summary: summary)
  }

  private func drawCeilings(_ area: PlotArea, in drawing: inout Drawing) {
    guard bandwidth > 0, bandwidth.isFinite, let highest = ceilings.last else { return }
    let ridge = highest.gigaflops / bandwidth
    let foot = max(area.x.lower, area.y.lower / bandwidth)
    drawing.line(
      "ceiling", from: (area.x(foot), area.y(foot * bandwidth)),
      to: (area.x(ridge), area.y(highest.gigaflops)),
      hover: "memory: \(NumberText.significant(bandwidth, 3)) GB/s")
    drawing.slantedText(
      "memory \(NumberText.significant(bandwidth, 3)) GB/s", "tick",
      from: (area.x(foot), area.y(foot * bandwidth)), to: (area.x(ridge), area.y(highest.gigaflops)))
    for ceiling in ceilings {
      let y = area.y(ceiling.gigaflops)
      drawing.line("ceiling", from: (area.x(ceiling.gigaflops / bandwidth), y), to: (area.right, y))
      drawing.text(
        "\(ceiling.name) \(NumberText.significant(ceiling.gigaflops, 3))", "tick", x: area.right, y: y - 5,
        anchor: .end)
    }
  }

  /// Whole powers of ten around the values.
  private static func decades(_ values: [Double]) -> ClosedRange<Double> {
    let drawable = values.filter { $0 > 0 && $0.isFinite }
    guard let least = drawable.min(), let most = drawable.max() else { return 1...10 }
    let lower = pow(10, log10(least).rounded(.down)), upper = pow(10, log10(most * 1.05).rounded(.up))
    return lower...max(upper, lower * 10)
  }
}
