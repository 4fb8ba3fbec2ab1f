import CommandSupport
import Evaluation
import Statistics

extension ComparisonText {
  /// The changes of a model against the baseline.
  func pair(_ pair: PairReport) -> [String] {
    let (a, b) = (report.models[pair.baseline], report.models[pair.other])
    var lines = [
      "\(b.letter) beside \(a.letter): agreement \(Self.share(pair.agreement)) (\(Self.range(pair.agreement.interval))), "
        + "kappa \(pair.kappa.isNaN ? "–" : Format.decimal(pair.kappa, 3))",
      "cosine of scores \(Format.decimal(pair.cosine.mean, 5)) (least \(Format.decimal(pair.cosine.least, 5))), "
        + "divergence \(Format.decimal(pair.divergence.mean, 5)) nats (p95 \(Format.decimal(pair.divergence.p95, 5)))",
    ]
    if let certainty = pair.certainty { lines += Self.words(certainty, b.letter) }
    lines += settings(pair, a, b)
    lines += flips(pair.flips, a, b)
    lines += changes(pair, a, b)
    lines += confusions(a, b)
    return lines
  }

  /// The effect of the models' own thresholds and rejections on the pair.
  private static func words(_ change: CertaintyChange, _ letter: String) -> [String] {
    func points(_ value: Double, _ interval: Interval) -> String {
      "\(value > 0 ? "+" : "")\(Format.decimal(100 * value, 1)) points (\(range(interval)))"
    }
    let right = change.right.map { ", right ones among them \(points($0.value, $0.interval))" } ?? ""
    return "certain by its own rule: \(letter) \(points(change.certain, change.certainInterval))\(right)"
      .wrapped(to: 100)
  }

  /// A pair without the baseline.
  func furtherPair(_ pair: ModelPair) -> [String] {
    let (a, b) = (report.models[pair.first], report.models[pair.second])
    return [
      "\(b.letter) beside \(a.letter): agreement \(Self.share(pair.agreement)) (\(Self.range(pair.agreement.interval)))"
    ] + pair.verdict.wrapped(to: 100) + (pair.accuracy.flatMap(Verdict.split)?.wrapped(to: 100) ?? [])
      + flips(pair.flips, a, b)
  }

  /// The corrections for several pairs.
  var correction: [String] {
    let count = report.pairs.compactMap(\.accuracy?.comparisons).max() ?? 1
    guard count > 1 else { return [] }
    return """
      \(count) pairs are compared at once: p-values are Holm's, and each interval is of the confidence that this asks for.
      """.wrapped(to: 100)
  }

  /// Settings that differ between the files of the two.
  private func settings(_ pair: PairReport, _ a: ModelReport, _ b: ModelReport) -> [String] {
    guard !pair.settings.isEmpty else { return [] }
    var table = Table([
      ("", .left), ("file", .left), ("says of", .left), (a.letter, .left), (b.letter, .left),
    ])
    for setting in pair.settings.prefix(Self.shown) {
      table.append([
        " ", setting.file, setting.key.shortened(to: 60), (setting.baseline ?? "–").shortened(to: 40),
        (setting.other ?? "–").shortened(to: 40),
      ])
    }
    return ["", "said otherwise"] + table.lines + rest(pair.settings.count)
  }

  private func flips(_ flips: [Flip], _ a: ModelReport, _ b: ModelReport) -> [String] {
    guard !flips.isEmpty else { return [] }
    let names: [Flip.Kind: String] = [
      .becameWrong: "became wrong", .becameRight: "became right", .bothWrong: "wrong in both",
      .unlabelled: "changed",
    ]
    let counts = Flip.Kind.allCases.compactMap { kind -> String? in
      let count = flips.count { $0.kind == kind }
      return count > 0 ? "\(count) \(names[kind] ?? "")" : nil
    }
    var table = Table([("", .left), ("sample", .left), ("is", .left), (a.letter, .left), (b.letter, .left)])
    for flip in flips.prefix(Self.shown) {
      let sample = report.data.samples[flip.sample]
      table.append([
        " ", sample.shortName, sample.label.map { className($0, 18) } ?? "", answer(flip.baseline),
        answer(flip.other),
      ])
    }
    return ["", "answers that changed: \(counts.joined(separator: ", "))"] + table.lines
      + rest(flips.count)
  }

  private func changes(_ pair: PairReport, _ a: ModelReport, _ b: ModelReport) -> [String] {
    let changed = pair.classes.filter { $0.recallChange != 0 }
    guard !changed.isEmpty else { return [] }
    var table = Table([
      ("", .left), ("class", .left), ("samples", .right), ("\(a.letter) finds", .right),
      ("\(b.letter) finds", .right), ("change", .right),
    ])
    let most = changed.sorted { (-abs($0.recallChange), $0.label) < (-abs($1.recallChange), $1.label) }
    for change in most.prefix(Self.shown) {
      table.append([
        " ", className(change.label, 30), "\(change.baseline.support)", Self.percent(change.baseline.recall),
        Self.percent(change.other.recall),
        (change.recallChange > 0 ? "+" : "") + Format.decimal(100 * change.recallChange, 1),
      ])
    }
    return ["", "classes that changed most"] + table.lines + rest(changed.count)
  }

  /// The most frequent wrong answers of the other model, with how often the baseline gives them.
  private func confusions(_ a: ModelReport, _ b: ModelReport) -> [String] {
    guard let before = a.accuracy?.confusion, let after = b.accuracy?.confusion else { return [] }
    let known = Dictionary(uniqueKeysWithValues: before.map { ([$0.truth, $0.answer], $0.count) })
    let wrong = after.filter { $0.truth != $0.answer && $0.count > 1 }
      .sorted { (-$0.count, $0.truth, $0.answer) < (-$1.count, $1.truth, $1.answer) }
    guard !wrong.isEmpty else { return [] }
    var table = Table([
      ("", .left), ("is", .left), ("is called", .left), (a.letter, .right), (b.letter, .right),
    ])
    for confusion in wrong.prefix(Self.shown) {
      let count = known[[confusion.truth, confusion.answer]] ?? 0
      table.append([
        " ", className(confusion.truth, 30), className(confusion.answer, 30), "\(count)",
        "\(confusion.count)",
      ])
    }
    return ["", "most frequent confusions of \(b.letter)"] + table.lines + rest(wrong.count)
  }

  func rest(_ count: Int) -> [String] {
    count > Self.shown ? ["  … and \(count - Self.shown) more; --json has all"] : []
  }

  private func answer(_ answer: Flip.Answer) -> String {
    "\(className(answer.label, 18)) \(PredictionTable.percent(answer.score))"
  }

  private func className(_ label: Int, _ width: Int) -> String {
    report.data.classes[label].shortened(to: width)
  }
}

extension SampleReport {
  /// The text, or the last parts of the path, short enough for a table.
  fileprivate var shortName: String {
    switch content {
    case .text(let text): text.shortened(to: 40)
    case .picture(let path): path.split(separator: "/").suffix(2).joined(separator: "/").shortened(to: 40)
    }
  }
}
