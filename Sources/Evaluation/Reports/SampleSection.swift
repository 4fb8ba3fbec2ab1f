import HTMLReport

extension ComparisonPage {
  /// All samples with the answer of each model, to be opened: those on which models differ first, then the least sure.
  var sampleSection: Markup? {
    let samples = report.data.samples
    guard !samples.isEmpty, !report.models.isEmpty else { return nil }
    let table = answerTable(
      "All samples", Array(sampleOrder.prefix(Self.samplesShown)), saysWhoAgrees: report.models.count > 2)
    let rest = samples.count - Self.samplesShown
    return .section(
      "Every sample",
      about: ["Samples on which the models differ come first, then the ones of which they are least sure."],
      [
        .details(
          "All answers",
          [table, rest > 0 ? .note(["\(self.samples(rest)) more; the report as JSON has all."]) : .none])
      ])
  }

  /// The answers of all models to some samples, side by side.
  /// - Parameter saysWhoAgrees: whether a column has the letters of those that agree, by which samples can be sorted.
  func answerTable(_ caption: String, _ positions: [Int], saysWhoAgrees: Bool) -> Markup {
    let isLabelled = report.data.isLabelled
    let heads = (isLabelled ? ["Is"] : []) + report.models.map(\.letter) + (saysWhoAgrees ? ["Agree"] : [])
    var table = DataTable(
      caption: caption, isSortable: true, stackedHeads: report.models.count > 2 ? heads : [],
      [(["Sample"], .text)] + (isLabelled ? [(["Is"], .text)] : [])
        + report.models.indices.map { ([key($0)], .text) } + (saysWhoAgrees ? [(["Agree"], .text)] : []))
    for position in positions where report.data.samples.indices.contains(position) {
      let sample = report.data.samples[position]
      var cells: [[Markup]] = [[.outside(sampleName(sample))]]
      if isLabelled { cells.append([.outside(sample.label.map(className) ?? "–")]) }
      cells += report.models.indices.map { cell(position, model: $0, truth: sample.label) }
      if saysWhoAgrees { cells.append([.text(agreement(on: position))]) }
      table.append(cells)
    }
    return table.markup
  }

  /// `AC B`: the letters of models that give one answer stand together.
  private func agreement(on sample: Int) -> String {
    var parties: [(answer: Int, letters: String)] = []
    for model in report.models where model.answers.indices.contains(sample) {
      if let party = parties.firstIndex(where: { $0.answer == model.answers[sample] }) {
        parties[party].letters += model.letter
      } else {
        parties.append((model.answers[sample], model.letter))
      }
    }
    return parties.map(\.letters).joined(separator: " ")
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
