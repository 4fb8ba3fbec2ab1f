/// A column for each layer of a model in the order they run, the worst marked by their rank.
package struct LayerChart: Chart {
  package struct Layer: Sendable {
    package let name: String
    /// Larger is better; infinite where nothing was lost.
    package let value: Double

    package init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }
  }

  package let title: String
  package let summary: String
  let vertical: Axis
  let layers: [Layer]
  /// Positions of the worst layers, worst first.
  let worst: [Int]

  package init(title: String, summary: String, vertical: Axis, layers: [Layer], worst: [Int]) {
    self.title = title
    self.summary = summary
    self.vertical = vertical
    self.layers = layers
    self.worst = worst
  }

  package func drawing(width: Double) -> Markup {
    let finite = layers.map(\.value).filter(\.isFinite)
    let range = vertical.range ?? Ticks.nice(min(finite.min() ?? 0, 0), max(finite.max() ?? 1, 1), count: 5)
    let left = PlotArea.tickRoom(vertical, range, height: Self.height)
    var drawing = Drawing(width: width, height: Self.top + Self.height + PlotArea.footer)
    let y = Scale(range.lowerBound, range.upperBound, onto: Self.top + Self.height, Self.top)
    drawGrid(y, left: left, in: &drawing)
    let pitch = (width - left) / Double(max(layers.count, 1))
    let gap = min(pitch * 0.2, 4)
    let barWidth = min(pitch - gap, 26)
    for (index, layer) in layers.enumerated() {
      draw(layer, index, y, x: left + Double(index) * pitch + gap / 2, width: barWidth, in: &drawing)
    }
    drawRanks(y, in: &drawing) { left + Double($0) * pitch + gap / 2 + barWidth / 2 }
    drawing.text(
      "Layers in the order they run →", "name", x: width, y: Self.top + Self.height + 22, anchor: .end)
    return drawing.svg(title: title, summary: summary)
  }

  private static let top = 30.0
  private static let height = 210.0

  private func drawGrid(_ y: Scale, left: Double, in drawing: inout Drawing) {
    for label in AxisLabel.upright(y, unit: vertical.unit) {
      let style = label.value == 0 ? "axis" : "grid"
      drawing.line(style, from: (left, label.position), to: (drawing.width, label.position))
      drawing.text(label.text, "tick", x: left - 7, y: label.position + 4, anchor: .end)
    }
    drawing.text(vertical.name, "name", x: 0, y: Self.top - 14)
  }

  private func draw(
    _ layer: Layer, _ index: Int, _ y: Scale, x: Double, width: Double, in drawing: inout Drawing
  ) {
    let isExact = layer.value == .infinity
    let ends = [y(isExact ? y.upper : layer.value), y(0)].sorted()
    let style = isExact ? "exact" : worst.contains(index) ? "s1 fill" : "s0 fill"
    let words = isExact ? "exact" : NumberText.decimal(layer.value, 1) + vertical.unit
    drawing.rectangle(
      style, x: x, y: ends[0], width: width, height: max(ends[1] - ends[0], 1),
      hover: "\(index + 1). \(layer.name): \(words)")
  }

  /// Numbers the worst layers, leaving out numbers that would cover one of a worse layer.
  private func drawRanks(_ y: Scale, in drawing: inout Drawing, middle: (Int) -> Double) {
    var taken: [(x: Double, y: Double)] = []
    for (rank, index) in worst.enumerated() where layers.indices.contains(index) {
      let place = (x: middle(index), y: min(y(layers[index].value), y(0)) - 4)
      if taken.contains(where: { abs($0.x - place.x) < 9 && abs($0.y - place.y) < 12 }) { continue }
      taken.append(place)
      drawing.text(
        "\(rank + 1)", "s1 rank", x: place.x, y: place.y, anchor: .middle, hover: layers[index].name)
    }
  }
}
