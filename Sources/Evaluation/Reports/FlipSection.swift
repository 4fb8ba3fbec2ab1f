import HTMLReport
import Images
import TensorCore

extension ComparisonPage {
  /// The samples whose answers changed, to look at.
  var flipSection: Markup? {
    let parts = report.pairs.filter { !$0.flips.isEmpty }.flatMap { pair -> [Markup] in
      let shown = pair.flips.prefix(Self.flipsShown)
      let rest = pair.flips.count - shown.count
      return heading(pair.baseline, pair.other) + [.gallery(shown.map(item))]
        + (rest > 0 ? [.note(["\(samples(rest)) more with a changed answer left out."])] : [])
    }
    guard !parts.isEmpty else { return nil }
    let further = report.furtherPairs.filter { !$0.flips.isEmpty }.flatMap { pair in
      heading(pair.first, pair.second) + changes(pair)
    }
    let order = report.data.isLabelled ? " Those that became wrong come first." : ""
    return .section(
      "Changed answers",
      about: ["What the models disagree on, with the answer and score of each.\(order)"], parts + further)
  }

  /// What two models disagree on, neither of which is the baseline: one of them differs from that, so that the samples are
  /// among those shown before.
  private func changes(_ pair: ModelPair) -> [Markup] {
    let shown = pair.flips.prefix(Self.flipsListed)
    let rest = pair.flips.count - shown.count
    return [
      answerTable(
        caption("Answers that changed", pair.first, pair.second), shown.map(\.sample), saysWhoAgrees: false)
    ]
      + (rest > 0
        ? [.note(["\(samples(rest)) more with a changed answer left out; the report as JSON has all."])] : [])
  }

  private static let flipsShown = 48
  private static let flipsListed = 200
  private static let thumbnailSide = 192
  private static let thumbnailBytes = 8000
  private static let textShown = 280

  private func item(_ flip: Flip) -> Markup {
    guard report.data.samples.indices.contains(flip.sample) else { return .none }
    let sample = report.data.samples[flip.sample]
    let words: [Markup] =
      [
        sample.label.map { .tag("p", ["class": "truth"], [.outside(className($0))]) } ?? .none
      ] + report.models.indices.compactMap { answer(to: flip.sample, of: $0, truth: sample.label) }
    switch sample.content {
    case .picture(let path):
      let file = path.split(separator: "/").suffix(2).joined(separator: "/")
      return .tag(
        "li", [picture(path), .tag("div", words), .tag("p", ["class": "path"], [.outside(file)])])
    case .text(let text):
      let shown = text.count > Self.textShown ? text.prefix(Self.textShown) + "…" : text[...]
      return .tag(
        "li", ["class": "text"], [.tag("blockquote", [.outside(String(shown))]), .tag("div", words)])
    }
  }

  /// What a model says of a sample; nil where the report does not have it.
  private func answer(to sample: Int, of model: Int, truth: Int?) -> Markup? {
    let (answers, scores) = (report.models[model].answers, report.models[model].confidences)
    guard answers.indices.contains(sample), scores.indices.contains(sample) else { return nil }
    let label = answers[sample]
    let style = truth.map { $0 == label ? "right" : "wrong" } ?? "answer"
    let judgement = truth.map { $0 == label ? " (right)" : " (wrong)" } ?? ""
    return .tag(
      "p", ["class": style],
      [
        .tag("span", ["class": "letter s\(model % 4)"], [.text(self.model(model)?.letter ?? "")]), " ",
        .outside(className(label)), " ",
        .tag("span", ["class": "score"], [.text(NumberText.percent(Double(scores[sample]), 0))]),
        .tag("span", ["class": "spoken"], [.text(judgement)]),
      ])
  }

  /// A small copy of the picture as the models saw it; a blank where it cannot be read any more.
  private func picture(_ path: String) -> Markup {
    do throws(ApusError) {
      let options = ImageOptions(transparency: report.data.transparency)
      let image = try ImageDecoder.decode(contentsOf: path, options: options).image
      let small = try Thumbnail(of: image, side: Self.thumbnailSide, maximumBytes: Self.thumbnailBytes)
      return PageImage(.jpeg, bytes: small.bytes, width: small.width, height: small.height)
        .markup(alternative: "the picture in question")
    } catch {
      return .tag("div", ["class": "blank"], ["not readable"])
    }
  }
}
