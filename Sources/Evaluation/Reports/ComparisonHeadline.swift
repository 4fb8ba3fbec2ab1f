import HTMLReport
import Statistics

/// The head of the page: the outcome in a sentence, and the numbers behind it.
struct ComparisonHeadline {
  let page: ComparisonPage

  init(_ page: ComparisonPage) { self.page = page }

  private var report: ComparisonReport { page.report }

  /// One pair in full, or what several pairs come to.
  var sentence: [Markup] {
    if let pair = report.pairs.first, report.pairs.count == 1 {
      return quality(of: pair) + ["; it is \(cost(of: pair))"]
    }
    return HeadlineOfSeveral(page).sentence
  }

  /// What the comparison was made of.
  var standfirst: [Markup] {
    let names = report.models.indices.map { page.key($0) }
    let labels = report.data.isLabelled ? "with known classes" : "without labels"
    return Array(names.map { [$0] }.joined(separator: [" · "]))
      + [.tag("br"), "\(page.samples(report.data.samples.count)) \(labels)"]
  }

  /// The key figures of every pair; of more than three models, of those with the baseline.
  var figures: [Markup] {
    let further = report.models.count > 3 ? [] : report.furtherPairs.map(Pair.init)
    return (report.pairs.map(Pair.init) + further).flatMap { pair -> [Markup] in
      let names = page.names(pair.baseline, pair.other)
      return (report.models.count > 2 ? [.tag("h2", ["class": "pair"], names)] : [])
        + [.keyFigures(figures(of: pair))]
    }
  }

  /// What key figures are made of.
  private struct Pair {
    let baseline: Int
    let other: Int
    let agreement: Proportion
    let accuracy: PairedAccuracy?
    let margin: MarginReport?
    let speed: SpeedRatio?

    init(_ pair: PairReport) {
      (baseline, other, agreement) = (pair.baseline, pair.other, pair.agreement)
      (accuracy, margin, speed) = (pair.accuracy, pair.margin, pair.speed)
    }

    /// The first takes the baseline's place; a margin is held against the baseline alone.
    init(_ pair: ModelPair) {
      (baseline, other, agreement) = (pair.first, pair.second, pair.agreement)
      (accuracy, margin, speed) = (pair.accuracy, nil, pair.speed)
    }
  }

  private static let words: [MarginOutcome: String] = [
    .within: "within", .beyond: "beyond", .open: "not known to be within",
  ]

  // MARK: Quality

  private func quality(of pair: PairReport) -> [Markup] { answers(of: pair) + margin(of: pair) }

  /// What the samples say of the margin that was asked for.
  private func margin(of pair: PairReport) -> [Markup] {
    guard let margin = pair.margin else { return [] }
    let limit = ReportText.amount(margin.margin)
    return switch margin.outcome {
    case .within: [", within the margin of \(limit)"]
    case .beyond: [", beyond the margin of \(limit)"]
    case .open: [", and is not known to be within \(limit)"]
    }
  }

  private func answers(of pair: PairReport) -> [Markup] {
    let baseline = page.mention(pair.baseline), other = page.mention(pair.other)
    guard let accuracy = pair.accuracy else {
      return [
        other, " gives the answer of ", baseline,
        " for \(NumberText.percent(pair.agreement.value)) of \(page.samples(pair.agreement.count))",
      ]
    }
    if pair.flips.isEmpty { return [other, " gives the same answers as ", baseline] }
    if accuracy.difference == 0 { return [other, " is right as often as ", baseline] }
    let verb = accuracy.difference < 0 ? "loses" : "gains"
    let chance = accuracy.isSignificant ? "beyond chance" : "which may be chance"
    return [
      other,
      """
       \(verb) \(ReportText.magnitude(accuracy.difference)) points, \(chance) \
      (\(NumberText.probability(accuracy.pValue)))
      """,
    ]
  }

  // MARK: Cost

  private func cost(of pair: PairReport) -> String {
    guard let costs = costs(of: Pair(pair)) else { return "not measured" }
    let size = Self.sizeComparison(costs.baseline, costs.other)
    guard report.provenance.isOptimized else { return size }
    return "\(Self.speed(pair.speed)) and \(size)"
  }

  /// `as fast` unless the times tell the two apart.
  private static func speed(_ ratio: SpeedRatio?) -> String {
    guard let ratio, ratio.isNews else { return "as fast" }
    return ReportText.comparison(1 / ratio.value, less: "faster", more: "slower", same: "as fast")
  }

  private func costs(of pair: Pair) -> (baseline: CostReport, other: CostReport)? {
    guard let baseline = page.model(pair.baseline), let other = page.model(pair.other) else { return nil }
    return (baseline.cost, other.cost)
  }

  /// Models of one folder at two precisions are as large on disk, but not in memory.
  private static func sizeComparison(_ baseline: CostReport, _ other: CostReport) -> String {
    let sizes = sizes(baseline, other)
    let words = ReportText.comparison(
      Double(sizes.before) / Double(sizes.after), less: "smaller", more: "larger", same: "as large")
    return sizes.isMemory ? "\(words) in memory" : words
  }

  /// The bytes to compare: on disk, or in memory where those on disk are the same.
  private static func sizes(
    _ baseline: CostReport, _ other: CostReport
  ) -> (before: Int, after: Int, isMemory: Bool) {
    if baseline.byteCount == other.byteCount, baseline.memoryByteCount > 0, other.memoryByteCount > 0 {
      return (baseline.memoryByteCount, other.memoryByteCount, true)
    }
    return (baseline.byteCount, max(other.byteCount, 1), false)
  }

  private func figures(of pair: Pair) -> [(value: String, meaning: [Markup])] {
    var figures: [(value: String, meaning: [Markup])] = []
    if let accuracy = pair.accuracy, let baseline = page.model(pair.baseline)?.accuracy?.top1.value,
      let other = page.model(pair.other)?.accuracy?.top1.value
    {
      let change = "\(NumberText.percent(other)) instead of \(NumberText.percent(baseline)) right"
      figures.append(
        (
          ReportText.points(accuracy.difference),
          ["points of accuracy (\(ReportText.points(accuracy.interval))): \(change)"]
        ))
    }
    if let margin = pair.margin {
      let loss = margin.greatestLoss
      figures.append(
        (
          loss > 0 ? ReportText.magnitude(loss) : "0",
          [
            "points lost at most: \(Self.words[margin.outcome] ?? "") the margin of \(ReportText.amount(margin.margin))"
          ]
        ))
    }
    let agreement = pair.agreement
    figures.append(
      (
        NumberText.percent(agreement.value),
        ["same answer: \(NumberText.count(agreement.successes)) of \(page.samples(agreement.count))"]
      ))
    guard let costs = costs(of: pair) else { return figures }
    if report.provenance.isOptimized, let speed = pair.speed {
      figures.append(Self.speedFigure(speed, costs.baseline, costs.other))
    }
    figures.append(Self.sizeFigure(costs.baseline, costs.other))
    return figures
  }

  private static func speedFigure(
    _ ratio: SpeedRatio, _ baseline: CostReport, _ other: CostReport
  ) -> (value: String, meaning: [Markup]) {
    let after = NumberText.duration(seconds: other.median / 1000)
    let before = NumberText.duration(seconds: baseline.median / 1000)
    guard ratio.isNews else { return ("as fast", ["a run takes \(after), and \(before)"]) }
    return (
      NumberText.times(max(ratio.value, 1 / ratio.value)),
      ["\(ratio.value < 1 ? "faster" : "slower"): \(after) instead of \(before) a run"]
    )
  }

  private static func sizeFigure(_ baseline: CostReport, _ other: CostReport) -> (
    value: String, meaning: [Markup]
  ) {
    let sizes = sizes(baseline, other)
    let ratio = Double(sizes.before) / Double(sizes.after)
    if max(ratio, 1 / ratio) < 1.03 {
      let place = sizes.isMemory ? "in memory" : "on disk"
      return (
        "as large", ["\(NumberText.bytes(sizes.after)) \(place), and \(NumberText.bytes(sizes.before))"]
      )
    }
    let word = (ratio >= 1 ? "smaller" : "larger") + (sizes.isMemory ? " in memory" : "")
    return (
      NumberText.times(max(ratio, 1 / ratio)),
      ["\(word): \(NumberText.bytes(sizes.after)) instead of \(NumberText.bytes(sizes.before))"]
    )
  }
}
