import Foundation
import FoundationXML
import HTMLReport
import TestSupport
import Testing

/// Every chart is well-formed SVG that keeps to its area, whatever it is given.
@Suite struct ChartTests {
  static let widths = [354.0, 776]

  @Test(arguments: SampleCharts.kinds.indices, widths)
  func soundDataIsDrawnInside(_ kind: Int, _ width: Double) throws {
    let drawing = try DrawingCheck(SampleCharts.sound(label: { $0 })[kind], width: width)
    #expect(drawing.outside == [])
    #expect(drawing.marks > 5)
  }

  @Test(arguments: SampleCharts.kinds.indices, widths)
  func longAndHostileLabelsAreDrawnInside(_ kind: Int, _ width: Double) throws {
    let hostile = "<script>\"'&]]>\u{0}日本語" + String(repeating: "W", count: 80)
    let drawing = try DrawingCheck(SampleCharts.sound(label: { hostile + $0 })[kind], width: width)
    #expect(drawing.outside == [])
    #expect(!drawing.names.contains("script"))
  }

  @Test(arguments: SampleCharts.kinds.indices)
  func nothingIsDrawnOfNothing(_ kind: Int) throws {
    #expect(try DrawingCheck(SampleCharts.empty[kind], width: 354).outside == [])
  }

  @Test(arguments: SampleCharts.kinds.indices, [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0, -1])
  func impossibleNumbersAreDrawnInside(_ kind: Int, _ value: Double) throws {
    let drawing = try DrawingCheck(SampleCharts.broken(value)[kind], width: 354)
    #expect(drawing.outside == [])
  }

  /// Numbers of an axis stand beside each other, and inside the drawing, whatever their digits.
  @Test(arguments: SampleCharts.kinds.indices, [354.0, 480, 776])
  func numbersOfAnAxisDoNotTouch(_ kind: Int, _ width: Double) throws {
    for scale in [1e-7, 0.0123, 1, 4321, 7e6] {
      let drawing = try DrawingCheck(SampleCharts.scaled(scale)[kind], width: width)
      #expect(drawing.touching == [], "times \(scale)")
      #expect(drawing.outside == [], "times \(scale)")
    }
  }

  /// The first bar of two is 75 % of the axis long, the second 50 %.
  @Test func barsAreAsLongAsTheirValues() throws {
    let chart = IntervalBarChart(
      title: "", summary: "", axis: Axis("", range: 0...100),
      groups: [
        .init(
          "",
          [
            .init(Series("a", 0), 75, interval: nil, label: ""),
            .init(Series("b", 1), 50, interval: nil, label: ""),
          ])
      ])
    let bars = try DrawingCheck(chart, width: 400).rectangles.filter { $0.style.hasSuffix(" fill") }
    #expect(bars.count == 2)
    #expect(abs(bars[0].width / bars[1].width - 1.5) < 0.01)
  }

  /// Each histogram's outline lies over its own samples, and medians are marked at the right place.
  @Test func histogramsMarkTheirMedians() throws {
    let chart = Histogram(
      title: "", summary: "", horizontal: Axis(""),
      samples: [
        .init(Series("a", 0), (0...100).map { 10 + Double($0) / 100 }),
        .init(Series("b", 1), (0...100).map { 20 + Double($0) / 100 }),
      ])
    let medians = try DrawingCheck(chart, width: 400).lines.filter { $0.style.hasSuffix("median") }
    let grid = try DrawingCheck(chart, width: 400).lines.filter { $0.style == "grid" }[0]
    #expect(medians.count == 2)
    // The axis runs from 10 to 21 or a little more: the medians are 10 of these apart.
    let share = (medians[1].x - medians[0].x) / (grid.end - grid.x)
    #expect(share > 0.82 && share < 0.96)
  }
}

/// What an SVG parser makes of a drawing.
private final class DrawingCheck: NSObject, XMLParserDelegate {
  struct Mark {
    let style: String
    let x: Double
    let end: Double
    var width: Double { end - x }
  }

  private let drawingWidth: Double
  private var height = 0.0
  private(set) var names: Set<String> = []
  private(set) var marks = 0
  private(set) var rectangles: [Mark] = []
  private(set) var lines: [Mark] = []
  /// Marks with a corner beyond the drawing, or a position that is no number.
  private(set) var outside: [String] = []
  private var ticks: [Tick] = []
  private var isInTick = false

  /// A number on an axis: digits take six pixels in letters of eleven.
  private struct Tick {
    var text = ""
    let x: Double
    let y: Double
    let anchor: String
    var left: Double {
      let width = 6 * Double(text.count)
      return anchor == "end" ? x - width : anchor == "middle" ? x - width / 2 : x
    }
    var right: Double { left + 6 * Double(text.count) }
  }

  /// Pairs of numbers that lie over each other, and numbers that leave the drawing.
  var touching: [String] {
    var found: [String] = []
    for (index, one) in ticks.enumerated() {
      if one.left < -2 || one.right > drawingWidth + 2 { found.append("\(one.text) is outside") }
      for other in ticks[(index + 1)...]
      where abs(one.y - other.y) < 11 && one.left < other.right && other.left < one.right {
        found.append("\(one.text) and \(other.text)")
      }
    }
    return found
  }

  init(_ chart: some Chart, width: Double) throws {
    drawingWidth = width
    super.init()
    let parser = XMLParser(data: Data(chart.drawing(width: width).html.utf8))
    parser.delegate = self
    guard parser.parse() else { throw Browser.Failure("\(String(describing: parser.parserError))") }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    names.insert(name)
    marks += 1
    func number(_ key: String) -> Double { attributes[key].map { Double($0) ?? .nan } ?? 0 }
    if name == "svg" { height = number("height") }
    let across = [number("x"), number("x") + number("width"), number("x1"), number("x2"), number("cx")]
    let down = [number("y"), number("y") + number("height"), number("y1"), number("y2"), number("cy")]
    // Text of a slanted line has its place in a transform.
    let lowest = attributes["transform"] == nil ? -1.0 : -20
    let isInside =
      across.allSatisfy { $0 >= -1 && $0 <= drawingWidth + 1 }
      && down.allSatisfy { $0 >= lowest && $0 <= height + 1 }
    if !isInside { outside.append("\(name) \(attributes)") }
    let style = attributes["class"] ?? ""
    isInTick = name == "text" && style == "tick" && attributes["transform"] == nil
    if isInTick {
      ticks.append(Tick(x: number("x"), y: number("y"), anchor: attributes["text-anchor"] ?? "start"))
    }
    if name == "rect" { rectangles.append(Mark(style: style, x: across[0], end: across[1])) }
    if name == "line" { lines.append(Mark(style: style, x: across[2], end: across[3])) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if isInTick { ticks[ticks.count - 1].text += string }
  }
}
