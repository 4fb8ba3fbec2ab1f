import HTMLReport

extension PerformanceSnapshot {
  /// The snapshot as one self-contained HTML page: alerts, each model's times against its target, their course and
  /// distribution, and what they run on.
  public func html() -> String { DashboardPage(snapshot: self).html }
}

/// The developer's page of a monitor.
struct DashboardPage {
  let snapshot: PerformanceSnapshot

  var html: String {
    let head: [Markup] = [
      .masthead(
        kicker: [.text("Apus \(snapshot.apus) · performance")], headline: headline, standfirst: [standfirst]),
      .keyFigures(figures),
    ]
    let sections = [alertSection, targetSection] + snapshot.models.map(section) + [machineSection]
    return Page(title: "Performance – Apus", body: head + sections.compactMap(\.self)).html
  }

  private var used: [ModelPerformance] { snapshot.models.filter { $0.all.runs > 0 } }
  private var aimed: [ModelPerformance] { used.filter { $0.targetMilliseconds != nil } }

  /// Of all models.
  private var runs: Double { snapshot.models.reduce(0) { $0 + Double($1.all.runs) } }

  private var headline: [Markup] {
    guard !used.isEmpty else { return ["No model has run"] }
    // Few runs are worth no alert, and yet no model is praised for those that were late.
    let behind = aimed.filter { ($0.judged.summary.compliance ?? 1) < AlertRule.leastCompliance }
    let late = Dictionary(
      behind.map { ($0.name, $0.shownName) } + snapshot.alerts.map { ($0.model, $0.shownName) },
      uniquingKeysWith: { $1 })
    if let only = late.values.first, late.count == 1 { return [.outside(only), " misses its target"] }
    if late.count > 1 { return [.text("\(late.count) of \(aimed.count) models miss their targets")] }
    switch aimed.count {
    case 0: return [.text("\(NumberText.count(used.count, "model")), none with a target")]
    case 1: return [.outside(aimed[0].shownName), " keeps to its target"]
    default: return [.text("All \(aimed.count) models keep to their targets")]
    }
  }

  private var standfirst: Markup {
    let machine = snapshot.machine
    return .text(
      "\(machine.processor), \(NumberText.count(machine.threads, "thread")), "
        + "\(MomentText.utc(snapshot.time)), \(MomentText.span(snapshot.seconds)) after the start"
    )
  }

  private var figures: [(value: String, meaning: [Markup])] {
    let failures = snapshot.models.reduce(0.0) { $0 + Double($1.all.failures) }
    var figures: [(value: String, meaning: [Markup])] = [
      (NumberText.decimal(runs, 0), [runs == 1 ? "inference" : "inferences"])
    ]
    if failures > 0 { figures.append((NumberText.decimal(failures, 0), ["ended in an error"])) }
    let worst = aimed.compactMap { model in model.judged.summary.compliance.map { (model.shownName, $0) } }
    if let (name, share) = worst.min(by: { $0.1 < $1.1 }) {
      figures.append(
        (NumberText.percent(share), ["kept to the target, of ", .outside(name), ", the least of any"]))
    }
    if let memory = snapshot.memory {
      let peak = NumberText.bytes(memory.peakByteCount)
      figures.append(
        (NumberText.bytes(memory.residentByteCount), [.text("memory of the process, at most \(peak)")]))
    }
    if let watts = snapshot.energy?.watts {
      figures.append(
        (NumberText.significant(watts, 3) + NumberText.space + "W", ["processors and memory, all programs"]))
    }
    return figures
  }
}

// MARK: Sections

extension DashboardPage {
  private var alertSection: Markup? {
    guard !snapshot.recentAlerts.isEmpty else { return nil }
    let active = snapshot.alerts.map { alert -> Markup in
      .warning(
        alert.severity == .critical ? "Critical" : "Warning", [.paragraph([.outside(alert.description)])])
    }
    var table = DataTable(
      caption: "The last alerts, the newest first", [(["Time"], .text), (["Alert"], .text)])
    for alert in snapshot.recentAlerts.reversed() {
      table.append([[.text(MomentText.utc(alert.time))], [.outside(alert.description)]])
    }
    return .section(
      "Alerts",
      about: [
        """
        A warning: fewer than 95 % of at least 50 runs kept to the target. Critical: fewer than 80 %, or the 95th \
        percentile is over twice the target.
        """
      ],
      active + (active.isEmpty ? [.paragraph(["No alert is active."])] : [])
        + [.details("All alerts", [table.markup])])
  }

  private var targetSection: Markup? {
    guard !aimed.isEmpty else { return nil }
    let rows = aimed.compactMap { model -> DumbbellChart.Row? in
      guard let target = model.targetMilliseconds, let times = model.judged.summary.stages[.total] else {
        return nil
      }
      // A target of nothing is missed by any time.
      let share = 100 / max(target, 1e-6)
      return DumbbellChart.Row(
        model.shownName, from: times.p50Milliseconds * share, to: times.p95Milliseconds * share,
        label: "\(MillisecondText.of(times.p95Milliseconds)) of \(MillisecondText.of(target))")
    }
    let greatest = rows.map(\.to).filter(\.isFinite).max() ?? 100
    let chart = DumbbellChart(
      title: "Times in parts of the target",
      summary: "The median and the 95th percentile of \(NumberText.count(rows.count, "model")).",
      axis: Axis("Of the target", range: 0...max(120, greatest * 1.05), unit: NumberText.space + "%"),
      from: Series("half of the runs", 0), to: Series("95 % of the runs", 1), rows: rows)
    return .section(
      "Targets",
      about: [
        "By the shortest window with 50 runs or more, else by all runs. The number is the 95th percentile."
      ],
      [.figure(chart)])
  }

  private var machineSection: Markup {
    let machine = snapshot.machine
    var facts: [(name: String, value: [Markup])] = [
      ("Processor", [.text(machine.processor)]), ("Kernels", [.text(machine.kernels)]),
      ("Threads", [.text(NumberText.count(machine.threads))]),
      ("Memory", [.text(NumberText.bytes(machine.memoryByteCount))]),
    ]
    if let energy = snapshot.energy {
      let domains = energy.domains.map { "\($0.name) \(NumberText.significant($0.joules, 4)) J" }
      facts.append(("Energy", [.text(domains.joined(separator: ", "))]))
      // Other programs, and the time between inferences, are in it.
      if runs > 0 {
        let share = NumberText.significant(energy.joules / runs, 3) + NumberText.space + "J"
        facts.append(("Energy of an inference", [.text("at most \(share)")]))
      }
    } else {
      facts.append(("Energy", [.text("not known: \(snapshot.energyObstacle ?? "not measured")")]))
    }
    facts.append(("apus", [.text(snapshot.apus)]))
    return .section("Machine", [.facts(facts)])
  }
}

/// Times as pages have them.
enum MillisecondText {
  /// `12.3 ms`, `1.40 s`.
  static func of(_ milliseconds: Double) -> String { NumberText.duration(seconds: milliseconds / 1e3) }
}

extension ModelPerformance {
  /// The shortest window with enough runs to judge a model, else all runs.
  var judged: (text: String, summary: RunSummary) {
    for window in PerformanceWindow.allCases {
      if let summary = windows[window], summary.runs >= AlertRule.leastRuns {
        return ("the last \(window.text)", summary)
      }
    }
    return ("all runs", all)
  }
}
