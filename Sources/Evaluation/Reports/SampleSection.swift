import HTMLReport

extension ComparisonPage {
  /// All samples with the answer of each model, to be opened: those on which models differ first, then the least sure.
  var sampleSection: Markup? {
    let samples = report.data.samples
    guard !samples.isEmpty, !report.models.isEmpty else { return nil }
    let isLabelled = report.data.isLabelled
    var table = DataTable(
      caption: "All samples", isSortable: true,
      [(["Sample"], .text)] + (isLabelled ? [(["Is"], .text)] : [])
        + report.models.indices.map { ([key($0)], .text) })
    for position in sampleOrder.prefix(Self.samplesShown) {
      let sample = samples[position]
      var cells: [[Markup]] = [[.outside(sampleName(sample))]]
      if isLabelled { cells.append([.outside(sample.label.map(className) ?? "–")]) }
      cells += report.models.indices.map { cell(position, model: $0, truth: sample.label) }
      table.append(cells)
    }
    let rest = samples.count - Self.samplesShown
    return .section(
      "Every sample",
      about: ["Those on which the models differ come first, then those of which they are least sure."],
      [
        .details(
          "All answers",
          [table.markup, rest > 0 ? .note(["\(self.samples(rest)) more; --json has all."]) : .none])
      ])
  }

  private static let samplesShown = 2000
  private static let textShown = 120

  private var sampleOrder: [Int] {
    report.data.samples.indices.map { position -> (position: Int, isSame: Bool, score: Float) in
      let answers = report.models.compactMap {
        $0.answers.indices.contains(position) ? $0.answers[position] : nil
      }
      let scores = report.models.compactMap {
        $0.confidences.indices.contains(position) ? $0.confidences[position] : nil
      }
      return (position, Set(answers).count < 2, scores.min() ?? 0)
    }.sorted { first, second in
      first.isSame == second.isSame
        ? (first.score, first.position) < (second.score, second.position) : second.isSame
    }.map(\.position)
  }

  private func sampleName(_ sample: SampleReport) -> String {
    switch sample.content {
    case .picture(let path): path.split(separator: "/").suffix(2).joined(separator: "/")
    case .text(let text): text.count > Self.textShown ? text.prefix(Self.textShown) + "…" : text
    }
  }

  private func cell(_ sample: Int, model: Int, truth: Int?) -> [Markup] {
    let report = report.models[model]
    guard report.answers.indices.contains(sample), report.confidences.indices.contains(sample) else {
      return ["–"]
    }
    let answer = report.answers[sample]
    let style = truth.map { $0 == answer ? "right" : "wrong" } ?? "answer"
    let judgement = truth.map { $0 == answer ? " (right)" : " (wrong)" } ?? ""
    return [
      .tag(
        "span", ["class": style],
        [.outside(className(answer)), .tag("span", ["class": "spoken"], [.text(judgement)])]),
      .tag("small", [.text(NumberText.percent(Double(report.confidences[sample])))]),
    ]
  }
}
