extension Markup {
  /// How much of the column a chart takes.
  package enum ChartSize: Sendable {
    /// All of it: drawn once for wide and once for narrow screens, so that letters are never scaled.
    case full
    /// Half of it where there is room.
    case half
  }

  /// The widths of drawings in pixels: what a laptop and a phone have room for.
  static let wideDrawing = 776.0
  static let narrowDrawing = 354.0

  /// A chart under its title, with a remark below it.
  package static func figure(_ chart: some Chart, _ size: ChartSize = .full, caption: [Markup] = []) -> Markup
  {
    let drawings: [Markup] =
      switch size {
      case .full:
        [
          .tag("div", ["class": "wide"], [chart.drawing(width: wideDrawing)]),
          .tag("div", ["class": "narrow"], [chart.drawing(width: narrowDrawing)]),
        ]
      case .half: [chart.drawing(width: narrowDrawing)]
      }
    return .tag(
      "figure",
      [.tag("h3", [.text(chart.title)])] + drawings
        + (caption.isEmpty ? [] : [.tag("figcaption", caption)]))
  }
}
