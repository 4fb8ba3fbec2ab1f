/// What an axis measures.
package struct Axis: Sendable {
  package var name: String
  /// The range shown; nil fits the data.
  package var range: ClosedRange<Double>?
  /// What stands behind each number, such as ` %`.
  package var unit: String

  package init(_ name: String, range: ClosedRange<Double>? = nil, unit: String = "") {
    self.name = name
    self.range = range
    self.unit = unit
  }
}

/// The part of a drawing between two axes.
struct PlotArea {
  let x: Scale
  let y: Scale

  var left: Double { x.start }
  var right: Double { x.end }
  var top: Double { y.end }
  var bottom: Double { y.start }

  /// Draws grid, numbers and names: that of the vertical axis lies above it, where it can be read without
  /// turning the head.
  func drawAxes(_ horizontal: Axis, _ vertical: Axis, in drawing: inout Drawing) {
    let across = Ticks.of(x, count: max(Int((right - left) / 70), 2))
    let upright = Ticks.of(y, count: max(Int((bottom - top) / 42), 2))
    for value in upright.values {
      drawing.line("grid", from: (left, y(value)), to: (right, y(value)))
      drawing.text(
        upright.label(value) + vertical.unit, "tick", x: left - 7, y: y(value) + 4, anchor: .end)
    }
    for value in across.values {
      drawing.line("axis", from: (x(value), bottom), to: (x(value), bottom + 4))
      drawing.text(
        across.label(value) + horizontal.unit, "tick", x: x(value), y: bottom + 17, anchor: .middle)
    }
    drawing.line("axis", from: (left, bottom), to: (right, bottom))
    drawing.text(vertical.name, "name", x: 0, y: top - 10)
    drawing.text(horizontal.name, "name", x: right, y: bottom + 35, anchor: .end)
  }

  /// Room for the numbers of a vertical axis.
  static func tickRoom(_ axis: Axis, _ range: ClosedRange<Double>, height: Double) -> Double {
    let ticks = Ticks.linear(range.lowerBound, range.upperBound, count: max(Int(height / 42), 2))
    return (ticks.values.map { LabelText.width(ticks.label($0) + axis.unit, size: 11) }.max() ?? 0) + 9
  }

  /// Below the plot: ticks, their numbers, and the name of the axis.
  static let footer = 42.0
}
