/// An axis: its name and unit.
package struct Axis: Sendable {
  package var name: String
  /// The range shown; nil fits the data.
  package var range: ClosedRange<Double>?
  /// The unit behind each number, such as ` %`.
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
    for label in AxisLabel.upright(y, unit: vertical.unit) {
      drawing.line("grid", from: (left, label.position), to: (right, label.position))
      drawing.text(label.text, "tick", x: left - 7, y: label.position + 4, anchor: .end)
    }
    let across = AxisLabel.across(x, width: drawing.width) { $0.label($1) + horizontal.unit }
    for label in across {
      drawing.line("axis", from: (x(label.value), bottom), to: (x(label.value), bottom + 4))
    }
    drawing.numbers(across, y: bottom + 17)
    drawing.line("axis", from: (left, bottom), to: (right, bottom))
    drawing.text(vertical.name, "name", x: 0, y: top - 10)
    drawing.text(horizontal.name, "name", x: right, y: bottom + 35, anchor: .end)
  }

  /// Room for the numbers of a vertical axis.
  static func tickRoom(
    _ axis: Axis, _ range: ClosedRange<Double>, height: Double, _ kind: Scale.Kind = .linear
  ) -> Double {
    let labels = AxisLabel.upright(
      Scale(range.lowerBound, range.upperBound, onto: height, 0, kind), unit: axis.unit)
    return (labels.map { LabelText.width($0.text, size: 11) }.max() ?? 0) + 9
  }

  /// Below the plot: ticks, their numbers, and the name of the axis.
  static let footer = 42.0
}
