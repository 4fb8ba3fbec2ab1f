/// A number on an axis.
struct AxisLabel {
  /// The value, where a grid line or a mark lies.
  let value: Double
  let text: String
  /// The middle of the text, which keeps to the drawing.
  let position: Double
}

extension AxisLabel {
  /// Numbers of a horizontal axis, about one in 70 pixels, of which none touches the next.
  /// - Parameters:
  ///   - width: that of the drawing, which no number leaves.
  ///   - text: a value in words, with the unit.
  static func across(_ x: Scale, width: Double, _ text: (Ticks, Double) -> String) -> [AxisLabel] {
    let most = max(Int((x.end - x.start) / 70), 2)
    return fitting(x, most: most, gap: 8, extent: { LabelText.width($0, size: 11) }) { ticks, value in
      let words = text(ticks, value)
      let half = min(LabelText.width(words, size: 11), width) / 2
      return AxisLabel(
        value: value, text: words, position: min(max(x(value), half), max(width - half, half)))
    }
  }

  /// Numbers of an upright axis, about one in 42 pixels.
  static func upright(_ y: Scale, unit: String) -> [AxisLabel] {
    let most = max(Int(abs(y.end - y.start) / 42), 2)
    return fitting(y, most: most, gap: 3, extent: { _ in 11 }) { ticks, value in
      AxisLabel(value: value, text: ticks.label(value) + unit, position: y(value))
    }
  }

  /// The most numbers, up to about so many, that have room beside each other; one where no two have.
  private static func fitting(
    _ scale: Scale, most: Int, gap: Double, extent: (String) -> Double, _ label: (Ticks, Double) -> AxisLabel
  ) -> [AxisLabel] {
    var labels: [AxisLabel] = []
    func hasRoom(_ labels: [AxisLabel]) -> Bool {
      zip(labels, labels.dropFirst()).allSatisfy { one, next in
        abs(next.position - one.position) >= (extent(one.text) + extent(next.text)) / 2 + gap
      }
    }
    for count in (1...most).reversed() {
      let ticks = Ticks.of(scale, count: count)
      labels = ticks.values.map { label(ticks, $0) }
      if hasRoom(labels) { return labels }
    }
    for step in 2...max(labels.count, 2) {
      let some = stride(from: 0, to: labels.count, by: step).map { labels[$0] }
      if hasRoom(some) { return some }
    }
    return Array(labels.prefix(1))
  }
}

extension Drawing {
  /// Numbers below a horizontal axis.
  mutating func numbers(_ labels: [AxisLabel], y: Double) {
    for label in labels { text(label.text, "tick", x: label.position, y: y, anchor: .middle) }
  }
}
