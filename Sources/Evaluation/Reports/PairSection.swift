import HTMLReport
import Statistics

extension ComparisonPage {
  /// Whether the models differ, and whether that is more than chance.
  var pairSection: Markup? {
    guard !report.pairs.isEmpty else { return nil }
    let rows = report.pairs.flatMap(differenceRows)
    let chart: [Markup] =
      rows.isEmpty
      ? []
      : [
        .figure(
          DifferenceChart(
            title: "Difference to \(series(report.pairs[0].baseline).name)",
            summary: rows.map { "\($0.name): \($0.label) points" }.joined(separator: "; "),
            axis: Axis("Percentage points"), sides: ("worse", "better"), rows: rows,
            margin: report.pairs.compactMap(\.margin).first.map { $0.margin * 100 }),
          caption: [
            """
            Score intervals for paired answers (Tango 1998)\(levels). An interval that includes zero is drawn grey: the \
            data does not tell the models apart.\(marginCaption)
            """
          ])
      ]
    return .section(
      "Is it real?",
      about: [
        "Both models answered the same \(samples(report.data.samples.count)), so they can be compared one by one."
      ],
      copyRemark + chart
        + report.pairs.flatMap {
          heading($0.baseline, $0.other) + words(on: $0) + advice(on: $0) + [figures(of: $0)]
            + settings(of: $0)
        }
        + furtherPairs)
  }

  /// Samples that do not stand alone.
  private var copyRemark: [Markup] {
    guard let remark = report.data.remarkOnCopies else { return [] }
    return report.data.hasManyCopies
      ? [.warning("Some samples are alike", [.paragraph([.text(remark)])])] : [.paragraph([.text(remark)])]
  }

  /// Pairs without the baseline, one on a row.
  private var furtherPairs: [Markup] {
    guard !report.furtherPairs.isEmpty else { return [] }
    var table = DataTable(
      caption: "The other pairs", isSortable: true,
      [(["Pair"], .text), (["Same answer"], .number), (["Difference, points"], .number), (["p"], .number)])
    for pair in report.furtherPairs {
      let accuracy = pair.accuracy
      table.append([
        [letter(pair.second), " beside ", letter(pair.first)],
        [.text(NumberText.percent(pair.agreement.value)), .tag("small", [.text(Self.changes(pair.flips))])],
        accuracy.map {
          [.text(ReportText.points($0.difference)), .tag("small", [.text(ReportText.points($0.interval))])]
        } ?? ["–"], accuracy.map { Self.verdict($0) } ?? ["–"],
      ])
    }
    return [table.markup]
  }

  /// `3 became wrong, 2 right`; of data without labels `5 changed`.
  private static func changes(_ flips: [Flip]) -> String {
    guard !flips.isEmpty else { return "none changed" }
    let (lost, gained) = (flips.count { $0.kind == .becameWrong }, flips.count { $0.kind == .becameRight })
    return lost + gained == 0
      ? "\(NumberText.count(flips.count)) changed"
      : "\(NumberText.count(lost)) became wrong, \(NumberText.count(gained)) right"
  }

  private static func verdict(_ accuracy: PairedAccuracy) -> [Markup] {
    let words = accuracy.isSignificant ? "significant" : "not significant"
    return [.text(NumberText.probability(accuracy.pValue)), .tag("small", [.text(words)])]
  }

  /// A model by its letter alone, in its colour.
  private func letter(_ position: Int) -> Markup {
    .tag("span", ["class": "key s\(position % 4)"], [.text(model(position)?.letter ?? "–")])
  }

  private func differenceRows(_ pair: PairReport) -> [DifferenceChart.Row] {
    func row(_ name: String, _ accuracy: PairedAccuracy?) -> DifferenceChart.Row? {
      guard let accuracy else { return nil }
      return DifferenceChart.Row(
        series(pair.other), name, accuracy.difference * 100, interval: ReportText.range(accuracy.interval),
        label: "\(ReportText.points(accuracy.difference)) (\(ReportText.points(accuracy.interval)))")
    }
    let prefix = report.pairs.count > 1 ? "\(series(pair.other).name): " : ""
    return [row(prefix + "First answer", pair.accuracy), row(prefix + "First five", pair.top5)].compactMap(
      \.self)
  }

  private var marginCaption: String {
    report.pairs.compactMap(\.margin).first.map {
      " The dotted line is the margin, a loss of \(ReportText.amount($0.margin))."
    } ?? ""
  }

  /// `, 95 %`; of several pairs, what their number asks for.
  private var levels: String {
    let confidences = report.pairs.compactMap(\.accuracy?.confidence)
    guard let least = confidences.min(), let greatest = confidences.max() else { return "" }
    let count = report.pairs.compactMap(\.accuracy?.comparisons).max() ?? 1
    if count == 1 { return ", \(ReportText.confidence(least))" }
    let range =
      least == greatest
      ? ReportText.confidence(least) : "\(ReportText.confidence(least)) to \(ReportText.confidence(greatest))"
    return """
      , \(range): each pair at what Holm’s procedure held it to, so that all \(count) pairs together are taken for \
      different by chance in at most 5 of 100 comparisons
      """
  }

  /// The outcome of the test in plain words.
  private func words(on pair: PairReport) -> [Markup] {
    guard let accuracy = pair.accuracy else { return [] }
    let baseline = mention(pair.baseline), other = mention(pair.other)
    let split: [Markup] = [
      "Both are right on \(NumberText.count(accuracy.bothRight)) of \(samples(report.data.samples.count)) and wrong on ",
      "\(NumberText.count(accuracy.bothWrong)). Only ", baseline,
      " is right on \(NumberText.count(accuracy.onlyBaselineRight)), only ", other,
      " on \(NumberText.count(accuracy.onlyOtherRight)).",
    ]
    let margin = pair.marginSentence.map { Markup.paragraph([.text($0)]) }
    return [.paragraph(split), .paragraph([.text(Self.meaning(of: accuracy))])] + (margin.map { [$0] } ?? [])
  }

  private static func meaning(of accuracy: PairedAccuracy) -> String {
    let interval = ReportText.points(accuracy.interval)
    guard accuracy.onlyBaselineRight + accuracy.onlyOtherRight > 0 else {
      return """
        No answer turned from right to wrong or from wrong to right. For other data of this kind the difference is \
        \(interval) points, with \(ReportText.confidence(accuracy.confidence)) confidence.
        """
    }
    let correction =
      accuracy.comparisons > 1 ? ", corrected for \(accuracy.comparisons) pairs by Holm’s procedure" : ""
    let test = "McNemar’s test\(correction): \(NumberText.probability(accuracy.pValue))."
    let conclusion =
      accuracy.isSignificant
      ? "That is hard to put down to chance."
      : "That is no evidence of a difference; it does not prove equality."
    let sentences = [
      ReportText.split(accuracy), test, ReportText.doubt(accuracy, by: "this test") ?? conclusion,
    ]
    return sentences.compactMap(\.self).joined(separator: " ")
  }

  private func figures(of pair: PairReport) -> Markup {
    let agreement = pair.agreement
    let divergence = pair.divergence
    let facts: [(name: String, value: [Markup])] = [
      (
        "Same answer",
        Self.fact(
          NumberText.percent(agreement.value),
          "\(NumberText.count(agreement.successes)) of \(samples(agreement.count)); 95\u{202F}% interval \(ReportText.percent(agreement.interval))"
        )
      ),
      (
        "Cohen’s kappa",
        Self.fact(NumberText.decimal(pair.kappa, 3), "agreement beyond chance: 1 is full, 0 is none")
      ),
      (
        "Cosine of the outputs",
        Self.fact(
          "\(NumberText.decimal(pair.cosine.mean, 5)) on average",
          "least \(NumberText.decimal(pair.cosine.least, 5)); 1 is the same direction")
      ),
      (
        "Divergence of the scores",
        Self.fact(
          "\(NumberText.significant(divergence.mean, 3)) nats on average",
          """
          Kullback–Leibler, from the baseline; median \(NumberText.significant(divergence.median, 3)), 95\u{202F}% \
          below \(NumberText.significant(divergence.p95, 3)); 0 is the same
          """)
      ),
    ]
    return .facts(facts)
  }

  /// What to try next.
  private func advice(on pair: PairReport) -> [Markup] {
    pair.advice.map { [.paragraph([.strong([.text($0)])])] } ?? []
  }

  /// What the files of the two say each otherwise.
  private func settings(of pair: PairReport) -> [Markup] {
    guard !pair.settings.isEmpty else { return [] }
    var table = DataTable(
      caption: caption("What their files say each otherwise", pair.baseline, pair.other),
      [(["Key"], .text), ([key(pair.baseline)], .text), ([key(pair.other)], .text)])
    for setting in pair.settings {
      table.append([
        [.outside(setting.key), .tag("small", [.outside(setting.file)])], [.outside(setting.baseline ?? "–")],
        [.outside(setting.other ?? "–")],
      ])
    }
    return [table.markup]
  }

  private static func fact(_ value: String, _ remark: String) -> [Markup] {
    [.text(value), .tag("small", [.text(remark)])]
  }
}
