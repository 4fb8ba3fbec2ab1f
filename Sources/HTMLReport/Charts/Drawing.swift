import CLibrary

/// An SVG that is being drawn: positions are in pixels from the upper left corner.
struct Drawing {
  enum Anchor: String { case start, middle, end }

  let width: Double
  let height: Double
  private var marks: [Markup] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Adds anything.
  mutating func add(_ mark: Markup) { marks.append(mark) }

  mutating func line(
    _ style: String, from start: (x: Double, y: Double), to end: (x: Double, y: Double), hover: String? = nil
  ) {
    add(
      .tag(
        "line",
        [
          "class": style, "x1": Self.number(start.x), "y1": Self.number(start.y), "x2": Self.number(end.x),
          "y2": Self.number(end.y),
        ], Self.title(hover)))
  }

  mutating func rectangle(
    _ style: String, x: Double, y: Double, width: Double, height: Double, hover: String? = nil
  ) {
    add(
      .tag(
        "rect",
        [
          "class": style, "x": Self.number(x), "y": Self.number(y), "width": Self.number(max(width, 0)),
          "height": Self.number(max(height, 0)),
        ], Self.title(hover)))
  }

  mutating func text(
    _ text: String, _ style: String = "", x: Double, y: Double, anchor: Anchor = .start, hover: String? = nil
  ) {
    add(
      .tag(
        "text",
        ["class": style, "x": Self.number(x), "y": Self.number(y), "text-anchor": anchor.rawValue],
        [.text(text)] + Self.title(hover)))
  }

  /// Text written upwards, beginning at a point.
  mutating func upwardText(_ text: String, _ style: String, x: Double, y: Double, hover: String? = nil) {
    add(
      .tag(
        "text",
        ["class": style, "transform": "translate(\(Self.number(x)) \(Self.number(y))) rotate(-90)"],
        [.text(text)] + Self.title(hover)))
  }

  /// Text above the middle of a line, along it.
  mutating func slantedText(
    _ text: String, _ style: String, from start: (x: Double, y: Double), to end: (x: Double, y: Double)
  ) {
    let angle = atan2(end.y - start.y, end.x - start.x) * 180 / .pi
    let middle = (x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
    let place = "translate(\(Self.number(middle.x)) \(Self.number(middle.y))) rotate(\(Self.number(angle)))"
    add(
      .tag("text", ["class": style, "transform": place, "y": "-6", "text-anchor": "middle"], [.text(text)]))
  }

  /// A line through points, closed where it bounds an area.
  mutating func path(_ style: String, _ points: [(x: Double, y: Double)], isClosed: Bool = false) {
    guard points.count > 1 else { return }
    let steps = points.map { "\(Self.number($0.x)) \(Self.number($0.y))" }.joined(separator: "L")
    add(.tag("path", ["class": style, "d": "M" + steps + (isClosed ? "Z" : "")]))
  }

  /// The element, with what it shows said in words for those who cannot see it.
  func svg(title: String, summary: String) -> Markup {
    .tag(
      "svg",
      [
        "viewBox": "0 0 \(Self.number(width)) \(Self.number(height))", "width": Self.number(width),
        "height": Self.number(height), "role": "img", "aria-label": "\(title). \(summary)",
      ],
      [.tag("title", [.text(title)]), .tag("desc", [.text(summary)])] + marks)
  }

  private static func title(_ hover: String?) -> [Markup] { hover.map { [.tag("title", [.text($0)])] } ?? [] }

  /// A coordinate to a tenth of a pixel.
  static func number(_ value: Double) -> String {
    guard !value.isNaN else { return "0" }
    let tenths = Int((min(max(value, -1e6), 1e6) * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let rest = tenths.magnitude % 10
    return sign + "\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
  }
}
