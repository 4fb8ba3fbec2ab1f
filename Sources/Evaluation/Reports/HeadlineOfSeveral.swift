import HTMLReport
import Statistics

/// What three and more models come to, in one sentence: those of one outcome together, each named once.
struct HeadlineOfSeveral {
  let page: ComparisonPage

  /// Names that are written out side by side.
  private static let namesShown = 3

  init(_ page: ComparisonPage) { self.page = page }

  private var report: ComparisonReport { page.report }

  var sentence: [Markup] {
    let clauses = (report.data.isLabelled ? accuracy : agreement) + margins + costs
    return ["Beside ", page.mention(report.pairs.first?.baseline ?? 0), ", "]
      + Array(clauses.joined(separator: ["; "]))
  }

  // MARK: Quality

  private var agreement: [[Markup]] {
    let pairs = report.pairs
    let count = page.samples(report.data.samples.count)
    guard pairs.count > Self.namesShown else {
      let parts = pairs.map { [page.mention($0.other), " for \(NumberText.percent($0.agreement.value))"] }
      return [["the same answer is given by "] + Self.list(parts) + [" of \(count)"]]
    }
    let values = pairs.map(\.agreement.value)
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    return [
      [
        """
        the \(pairs.count) others give the same answer for \(NumberText.percent(least)) to \
        \(NumberText.percent(most)) of \(count)
        """
      ]
    ]
  }

  private var accuracy: [[Markup]] {
    let judged = report.pairs.compactMap { pair in pair.accuracy.map { (pair: pair, accuracy: $0) } }
    let certain = judged.filter { $0.accuracy.isSignificant }
    let same = judged.filter { !$0.accuracy.isSignificant && $0.pair.flips.isEmpty }.map(\.pair.other)
    let open = judged.filter { !$0.accuracy.isSignificant && !$0.pair.flips.isEmpty }.map(\.pair.other)
    let worse = certain.filter { $0.accuracy.difference < 0 }.map { ($0.pair.other, $0.accuracy.difference) }
    let better = certain.filter { $0.accuracy.difference > 0 }.map { ($0.pair.other, $0.accuracy.difference) }
    var clauses: [[Markup]] = []
    if !same.isEmpty {
      clauses.append(names(same) + [same.count == 1 ? " gives" : " give", " the same answers"])
    }
    if !worse.isEmpty { clauses.append(changes(worse, one: "loses", several: "lose")) }
    if !better.isEmpty { clauses.append(changes(better, one: "gains", several: "gain")) }
    if !open.isEmpty {
      clauses.append(names(open) + [open.count == 1 ? " differs" : " differ", " by what may be chance"])
    }
    return clauses
  }

  /// `C loses 3.1 points beyond chance`, `C and D lose 0.9 and 3.1 points beyond chance`.
  private func changes(_ models: [(model: Int, difference: Double)], one: String, several: String) -> [Markup]
  {
    let amounts = models.map { ReportText.magnitude($0.difference) }
    let points: String
    if amounts.count <= Self.namesShown {
      points = ReportText.list(amounts)
    } else {
      let sorted = models.map { abs($0.difference) }.sorted()
      points = "\(ReportText.magnitude(sorted.first ?? 0)) to \(ReportText.magnitude(sorted.last ?? 0))"
    }
    return names(models.map(\.model)) + [
      " \(models.count == 1 ? one : several) \(points) points beyond chance"
    ]
  }

  // MARK: Margin

  private var margins: [[Markup]] {
    guard let margin = report.pairs.compactMap(\.margin).first else { return [] }
    let limit = "the margin of \(ReportText.amount(margin.margin))"
    let outcomes: [(outcome: MarginOutcome, words: String)] = [
      (.within, "within \(limit)"), (.beyond, "beyond \(limit)"), (.open, "not known to be within \(limit)"),
    ]
    return outcomes.compactMap { outcome, words in
      let models = report.pairs.filter { $0.margin?.outcome == outcome }.map(\.other)
      if models.isEmpty { return nil }
      return models.count == report.pairs.count && models.count > 1
        ? ["all are \(words)"] : names(models) + [models.count == 1 ? " is " : " are ", .text(words)]
    }
  }

  // MARK: Cost

  /// Which is the fastest and which the smallest, where one is by more than the others.
  private var costs: [[Markup]] {
    let smallest = least { Double($0.byteCount) }
    let fastest = report.provenance.isOptimized && hasNewsOfSpeed ? least(\.median) : nil
    if let fastest, fastest == smallest {
      return [[page.mention(fastest), " is the fastest and the smallest"]]
    }
    return [(fastest, "fastest"), (smallest, "smallest")].compactMap { model, word in
      model.map { [page.mention($0), " is the \(word)"] }
    }
  }

  private var hasNewsOfSpeed: Bool { report.pairs.contains { $0.speed?.isNews ?? false } }

  /// The model of which a cost is at least 5 % less than of any other; nil where there is none.
  private func least(_ cost: (CostReport) -> Double) -> Int? {
    let costs = report.models.indices.map { (model: $0, cost: cost(report.models[$0].cost)) }
      .sorted { $0.cost < $1.cost }
    guard costs.count > 1, costs[0].cost < 0.95 * costs[1].cost else { return nil }
    return costs[0].model
  }

  // MARK: Lists

  /// `B`, `B and C`, `B, C and D`; of more how many they are.
  private func names(_ models: [Int]) -> [Markup] {
    models.count > Self.namesShown
      ? ["\(models.count) models"] : Self.list(models.map { [page.mention($0)] })
  }

  private static func list(_ parts: [[Markup]]) -> [Markup] {
    parts.enumerated().flatMap { place, part in
      (place == 0 ? [] : [place == parts.count - 1 ? " and " : ", "]) + part
    }
  }
}
