import Foundation
import HTMLReport
import TestSupport

/// One of each kind of chart, of sound data or of the worst.
enum SampleCharts {
  static let kinds = sound(label: { $0 }).map { "\(type(of: $0))" }

  /// Charts whose names and labels went through `label`.
  static func sound(label: (String) -> String) -> [any Chart] {
    var random = SeededRandom(seed: 9)
    let series = (0..<4).map { Series(label("series \($0)"), $0) }
    let names = (0..<12).map { label("name \($0)") }
    func value() -> Double { Double.random(in: 0...1, using: &random) }
    return [
      bars(series.map { ($0, value() * 100) }, label("title")),
      differences(names.map { ($0, value() - 0.5) }),
      dumbbells(series, names.map { ($0, value(), value()) }),
      lines(series.map { ($0, (0..<30).map { LineChart.Point(Double($0), value()) }) }),
      reliability(series[0], (0..<10).map { _ in value() }),
      layers(names.map { ($0, value() * 40) }),
      histogram(series.map { ($0, (0..<200).map { _ in 5 + value() }) }),
      HeatMap(
        title: "confusions", summary: "", labels: names,
        counts: names.map { _ in names.map { _ in Int(value() * 9) } }),
      roofline(series, names.map { ($0, value() * 100, value() * 1000) }),
    ]
  }

  /// Charts of nothing at all.
  static var empty: [any Chart] {
    [
      bars([], ""), differences([]), dumbbells([Series("a", 0), Series("b", 1)], []), lines([]),
      reliability(Series("a", 0), []), layers([]), histogram([(Series("a", 0), [])]),
      HeatMap(title: "", summary: "", labels: [], counts: []), roofline([Series("a", 0)], []),
    ]
  }

  /// Charts of numbers that cannot be drawn.
  static func broken(_ value: Double) -> [any Chart] {
    let series = Series("a", -7), other = Series("b", .max)
    return [
      bars([(series, value), (other, 1)], ""), differences([("a", value)]),
      dumbbells([series, other], [("a", value, 1), ("b", 1, value)]),
      lines([(series, [LineChart.Point(value, 1), LineChart.Point(1, value), LineChart.Point(value, value)])]
      ),
      reliability(series, [value]), layers([("a", value), ("b", 3)]),
      histogram([(series, [value, value]), (other, [1, 1, value])]),
      HeatMap(title: "", summary: "", labels: ["a", "b"], counts: [[1], [3, 4, 5], []]),
      roofline([series], [("a", value, 1), ("b", 1, value)]),
    ]
  }

  /// Charts of numbers of another size, with the labels that pages have.
  static func scaled(_ scale: Double) -> [any Chart] {
    let series = (0..<2).map { Series("series \($0)", $0) }
    let rows = ["a leaf's disease", "scenes/a-vision-tower-with-a-long-name-that-does-not-fit-anywhere"]
    let values = (0..<40).map { scale * (1 + Double($0 * $0 % 17) / 5) }
    return [
      bars(series.map { ($0, values[$0.index + 1]) }, "title"), differences(rows.map { ($0, values[2]) }),
      DumbbellChart(
        title: "times", summary: "", axis: Axis("Of the target", range: 0...max(120, scale), unit: " %"),
        from: series[0], to: series[1],
        rows: rows.map { .init($0, from: values[0], to: values[3], label: "12.3 ms of 50.0 ms") }),
      lines(series.map { ($0, values.enumerated().map { LineChart.Point(Double($0) * scale, $1) }) }),
      reliability(series[0], [0.1, 0.5]), layers(rows.map { ($0, values[1]) }),
      histogram([(series[0], values)]),
      HeatMap(title: "confusions", summary: "", labels: [], counts: []),
      roofline(series, values.map { ("kernel", $0, 1 / $0) }),
    ]
  }

  // MARK: Kinds

  private static func bars(_ values: [(Series, Double)], _ title: String) -> IntervalBarChart {
    IntervalBarChart(
      title: title, summary: "", axis: Axis("share"),
      groups: [
        .init("group", values.map { .init($0.0, $0.1, interval: 0...1, label: "\($0.1)") }),
        .init("none", []),
      ])
  }

  private static func differences(_ values: [(String, Double)]) -> DifferenceChart {
    DifferenceChart(
      title: "differences", summary: "", axis: Axis("points"), sides: ("worse", "better"),
      rows: values.map { .init(Series($0.0, 1), $0.0, $0.1, interval: -0.3...0.1, label: "label") })
  }

  private static func dumbbells(_ series: [Series], _ values: [(String, Double, Double)]) -> DumbbellChart {
    DumbbellChart(
      title: "changes", summary: "", axis: Axis("share"), from: series[0], to: series[1],
      rows: values.map { .init($0.0, from: $0.1, to: $0.2, label: "label") })
  }

  private static func lines(_ values: [(Series, [LineChart.Point])]) -> LineChart {
    LineChart(
      title: "lines", summary: "", horizontal: Axis("x"), vertical: Axis("y"),
      lines: values.map { .init($0.0, $0.1, isDashed: $0.0.index == 1) })
  }

  private static func reliability(_ series: Series, _ values: [Double]) -> ReliabilityDiagram {
    ReliabilityDiagram(
      title: "reliability", summary: "", series: series,
      bins: values.enumerated().map {
        let lower = Double($0.offset) / 10
        return .init(
          range: lower...lower + 0.1, meanConfidence: lower + 0.05, accuracy: $0.element, count: $0.offset)
      })
  }

  private static func layers(_ values: [(String, Double)]) -> LayerChart {
    LayerChart(
      title: "layers", summary: "", vertical: Axis("noise", unit: " dB"),
      layers: values.map { .init($0.0, $0.1) }, worst: [1, 0, 99])
  }

  private static func histogram(_ values: [(Series, [Double])]) -> Histogram {
    Histogram(
      title: "times", summary: "", horizontal: Axis("ms"), samples: values.map { .init($0.0, $0.1) })
  }

  private static func roofline(_ series: [Series], _ values: [(String, Double, Double)]) -> RooflineChart {
    RooflineChart(
      title: "roofline", summary: "",
      ceilings: [.init("FMA", gigaflops: 105), .init("VNNI", gigaflops: 420)],
      bandwidth: 12, points: values.map { .init(series[0], name: $0.0, intensity: $0.1, gigaflops: $0.2) })
  }
}
