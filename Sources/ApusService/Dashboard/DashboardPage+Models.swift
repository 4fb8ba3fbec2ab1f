import HTMLReport

/// The section of a model.
extension DashboardPage {
  func section(_ model: ModelPerformance) -> Markup {
    var about = ["Target: " + (model.targetMilliseconds.map(MillisecondText.of) ?? "none") + "."]
    if let bytes = model.memoryByteCount { about.append("In memory: \(NumberText.bytes(bytes)).") }
    let failure = model.loadFailure.map { Markup.warning("Not loaded", [.paragraph([.outside($0)])]) }
    guard model.all.runs > 0 else {
      return .section(
        model.shownName, about: [.text(about.joined(separator: " "))],
        [failure ?? .none, .paragraph(["It has not run."])])
    }
    return .section(
      model.shownName, about: [.text(about.joined(separator: " "))],
      [
        failure ?? .none, windowTable(model), courseChart(model).map { .figure($0) } ?? .none,
        distribution(model),
        stageTable(model),
      ])
  }

  private func windowTable(_ model: ModelPerformance) -> Markup {
    var table = DataTable(
      caption: "Inferences",
      [
        (["Time"], .text), (["Runs"], .number), (["Errors"], .number), (["Kept to target"], .number),
        (["Average"], .number), (["50 %"], .number), (["95 %"], .number), (["99 %"], .number),
        (["Longest"], .number),
      ])
    let windows = PerformanceWindow.allCases.compactMap { window in
      model.windows[window].map { ("Last \(window.text)", $0) }
    }
    for (name, summary) in windows + [("All", model.all)] {
      let kept = model.targetMilliseconds == nil ? nil : summary.compliance
      table.append(
        [
          [.text(name)], [.text(NumberText.count(Int(clamping: summary.runs)))],
          [.text(NumberText.count(Int(clamping: summary.failures)))],
          [.text(kept.map { NumberText.percent($0) } ?? "–")],
        ] + Self.times(summary.stages[.total]))
    }
    return table.markup
  }

  private func stageTable(_ model: ModelPerformance) -> Markup {
    let stages = InferenceStage.allCases.filter { model.all.stages[$0] != nil }
    guard stages.count > 1 else { return .none }
    var table = DataTable(
      caption: "Stages of all inferences",
      [
        (["Stage"], .text), (["Recorded"], .number), (["Average"], .number), (["50 %"], .number),
        (["95 %"], .number), (["99 %"], .number), (["Longest"], .number),
      ])
    for stage in stages {
      guard let times = model.all.stages[stage] else { continue }
      table.append(
        [[.text(stage.rawValue)], [.text(NumberText.count(Int(clamping: times.count)))]] + Self.times(times))
    }
    return table.markup
  }

  private static func times(_ times: LatencySummary?) -> [[Markup]] {
    guard let times else { return Array(repeating: ["–"], count: 5) }
    return [
      times.averageMilliseconds, times.p50Milliseconds, times.p95Milliseconds, times.p99Milliseconds,
      times.maximumMilliseconds,
    ].map { [.text(MillisecondText.of($0))] }
  }

  /// The course of the longest window in which there is one to see.
  private func courseChart(_ model: ModelPerformance) -> LineChart? {
    let courses = PerformanceWindow.allCases.reversed().map { ($0, model.course[$0] ?? []) }
    guard let (window, moments) = courses.first(where: { $0.1.count > 1 }) else { return nil }
    let length = Double(window.seconds), unit = window == .minute ? 1.0 : 60
    func line(_ name: String, _ index: Int, _ time: (ModelPerformance.Moment) -> Double) -> LineChart.Line {
      LineChart.Line(
        Series(name, index), moments.map { LineChart.Point(-min($0.secondsBefore, length) / unit, time($0)) })
    }
    var lines = [
      line("half of the runs", 0, \.p50Milliseconds), line("95 % of the runs", 1, \.p95Milliseconds),
    ]
    if let target = model.targetMilliseconds {
      let ends = [-length / unit, 0].map { LineChart.Point($0, target) }
      lines.append(LineChart.Line(Series("target", 3), ends, isDashed: true))
    }
    let greatest = lines.flatMap(\.points).map(\.y).max() ?? 1
    return LineChart(
      title: "The last \(window.text)",
      summary: "The median and the 95th percentile of \(moments.count) parts of the last \(window.text).",
      horizontal: Axis(window == .minute ? "Seconds ago" : "Minutes ago", range: -length / unit...0),
      vertical: Axis("Milliseconds", range: 0...max(greatest * 1.1, 1e-6)), lines: lines)
  }

  /// Runs that are drawn; of more, as many in proportion.
  private static let drawnRuns = 100_000.0

  private func distribution(_ model: ModelPerformance) -> Markup {
    let runs = model.distribution.reduce(0.0) { $0 + Double($1.runs) }
    guard model.distribution.count > 1, runs > 1 else { return .none }
    let scale = min(1, Self.drawnRuns / runs)
    var values: [Double] = []
    var before = 0.0
    for bin in model.distribution {
      let after = before + Double(bin.runs) * scale
      let count = Int(after) - Int(before)
      for place in 0..<max(count, 0) {
        let share = (Double(place) + 0.5) / Double(count)
        values.append(bin.lowerMilliseconds + (bin.upperMilliseconds - bin.lowerMilliseconds) * share)
      }
      before = after
    }
    let chart = Histogram(
      title: "All inferences", summary: "How many of the runs took how long.",
      horizontal: Axis("Milliseconds"), samples: [Histogram.Samples(Series("runs", 0), values)])
    return .figure(
      chart,
      caption: scale < 1
        ? [.text("Drawn from \(NumberText.count(values.count)) of \(NumberText.decimal(runs, 0)) runs.")] : []
    )
  }
}
