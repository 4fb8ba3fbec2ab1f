extension Drawing {
  /// The mark of a series: circle, square, triangle or diamond, so that colour is never the only difference.
  mutating func marker(
    _ series: Series, x: Double, y: Double, radius: Double = 4, style: String = "fill", hover: String? = nil
  ) {
    let corners: [(Double, Double)]
    switch series.style {
    case "s0":
      return add(
        .tag(
          "circle",
          [
            "class": "\(series.style) \(style)", "cx": Self.number(x), "cy": Self.number(y),
            "r": Self.number(radius),
          ], hover.map { [.tag("title", [.text($0)])] } ?? []))
    case "s1": corners = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]
    case "s2": corners = [(0, -1.2), (1.1, 0.8), (-1.1, 0.8)]
    default: corners = [(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)]
    }
    let points = corners.map { "\(Self.number(x + $0.0 * radius)),\(Self.number(y + $0.1 * radius))" }
    add(
      .tag(
        "polygon", ["class": "\(series.style) \(style)", "points": points.joined(separator: " ")],
        hover.map { [.tag("title", [.text($0)])] } ?? []))
  }

  /// Names of series beside their marks, in as many lines as needed; a single series needs none.
  /// - Returns: the height taken.
  @discardableResult
  mutating func legend(_ series: [Series], x: Double, y: Double) -> Double {
    guard series.count > 1 else { return 0 }
    var left = x, top = y
    for entry in series {
      let name = LabelText.fitted(entry.name, width: width - x - 24, size: 12)
      let entryWidth = 16 + LabelText.width(name, size: 12)
      if left > x, left + entryWidth > width {
        left = x
        top += 18
      }
      marker(entry, x: left + 5, y: top + 8, radius: 4.5)
      text(name, x: left + 15, y: top + 12, hover: entry.name)
      left += entryWidth + 16
    }
    return top + 24 - y
  }

  /// The height that a legend will take.
  static func legendHeight(_ series: [Series], x: Double, width: Double) -> Double {
    var trial = Drawing(width: width, height: 0)
    return trial.legend(series, x: x, y: 0)
  }
}
