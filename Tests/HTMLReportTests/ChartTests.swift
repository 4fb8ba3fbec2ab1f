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
    if name == "rect" { rectangles.append(Mark(style: style, x: across[0], end: across[1])) }
    if name == "line" { lines.append(Mark(style: style, x: across[2], end: across[3])) }
  }
}
