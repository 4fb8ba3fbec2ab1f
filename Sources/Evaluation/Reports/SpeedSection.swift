import HTMLReport
import Statistics

extension ComparisonPage {
  /// What the models cost in time and memory.
  var speedSection: Markup? {
    guard !report.models.isEmpty else { return nil }
    return .section(
      "Speed and size",
      about: [
        "The models took turns on each sample, so that what else the machine did falls on all of them."
      ],
      (report.provenance.remarkOnLoad.map { [.warning("The machine was busy", [.paragraph([.text($0)])])] }
        ?? [])
        + [latencyChart, ratios, costTable])
  }

  private var latencyChart: Markup {
    let timed = report.models.indices.filter { !report.models[$0].cost.runMilliseconds.isEmpty }
    guard !timed.isEmpty else { return .none }
    let medians = timed.map {
      "\(series($0).name): \(NumberText.duration(seconds: report.models[$0].cost.median / 1000))"
    }
    return .figure(
      Histogram(
        title: "Time of one run", summary: "Medians: \(medians.joined(separator: ", ")).",
        horizontal: Axis("Milliseconds"),
        samples: timed.map { Histogram.Samples(series($0), report.models[$0].cost.runMilliseconds) }),
      caption: ["Of the model alone. Dotted lines are medians."])
  }

  /// How much longer each takes than the baseline, with what is known of it.
  private var ratios: Markup {
    let words = report.pairs.compactMap { pair in
      pair.speed.map { "\(series(pair.other).name): \(Self.words($0))" }
    }
    guard !words.isEmpty else { return .none }
    return .note([
      .text(
        """
        Time over that of \(series(0).name) on the same sample, the median with its 95\u{202F}% interval: \
        \(words.joined(separator: "; ")).
        """)
    ])
  }

  private static func words(_ ratio: SpeedRatio) -> String {
    let range = ratio.interval.map {
      " (\(NumberText.decimal($0.lower, 2)) to \(NumberText.decimal($0.upper, 2)))"
    }
    return "\(NumberText.decimal(ratio.value, 2))\(range ?? ", too few samples for an interval")"
  }

  private var costTable: Markup {
    let models = report.models.indices
    var table = DataTable(caption: "Cost in figures", [([], .text)] + models.map { ([key($0)], .number) })
    func row(_ name: String, _ cell: (CostReport) -> String) {
      table.append([[.text(name)]] + models.map { [.text(cell(report.models[$0].cost))] })
    }
    func time(_ milliseconds: Double) -> String { NumberText.duration(seconds: milliseconds / 1000) }
    row("Median run") { time($0.median) }
    row("95\u{202F}% of runs within") { time($0.p95) }
    row("Preparing the input (median)") { time($0.preparationMedian) }
    row("Throughput") { NumberText.significant($0.throughput, 3) + NumberText.space + "/s" }
    row("Loading") { time($0.loadMilliseconds) }
    row("Size on disk") { NumberText.bytes($0.byteCount) }
    row("Memory: weights and runs") { NumberText.bytes($0.memoryByteCount) }
    row("Of which intermediate results") { NumberText.bytes($0.workspaceByteCount) }
    return table.markup
  }
}
