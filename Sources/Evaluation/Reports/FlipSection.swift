import HTMLReport
import Images
import TensorCore

extension ComparisonPage {
  /// The samples whose answers changed, to look at.
  var flipSection: Markup? {
    let parts = report.pairs.filter { !$0.flips.isEmpty }.flatMap { pair -> [Markup] in
      let shown = pair.flips.prefix(Self.flipsShown)
      let rest = pair.flips.count - shown.count
      return heading(pair.baseline, pair.other) + [.gallery(shown.map { item($0, pair) })]
        + (rest > 0 ? [.note(["\(samples(rest)) more with a changed answer left out."])] : [])
    }
    guard !parts.isEmpty else { return nil }
    let order = report.data.isLabelled ? " Those that became wrong come first." : ""
    return .section(
      "Changed answers",
      about: ["What the models disagree on, with the answer and score of each.\(order)"], parts)
  }

  private static let flipsShown = 48
  private static let thumbnailSide = 192
  private static let thumbnailBytes = 8000
  private static let textShown = 280

  private func item(_ flip: Flip, _ pair: PairReport) -> Markup {
    guard report.data.samples.indices.contains(flip.sample) else { return .none }
    let sample = report.data.samples[flip.sample]
    let words: [Markup] = [
      sample.label.map { .tag("p", ["class": "truth"], [.outside(className($0))]) } ?? .none,
      answer(flip.baseline, of: pair.baseline, truth: sample.label),
      answer(flip.other, of: pair.other, truth: sample.label),
    ]
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

  private func answer(_ answer: Flip.Answer, of model: Int, truth: Int?) -> Markup {
    let style = truth.map { $0 == answer.label ? "right" : "wrong" } ?? "answer"
    let judgement = truth.map { $0 == answer.label ? " (right)" : " (wrong)" } ?? ""
    return .tag(
      "p", ["class": style],
      [
        .tag("span", ["class": "letter s\(model % 4)"], [.text(self.model(model)?.letter ?? "")]), " ",
        .outside(className(answer.label)), " ",
        .tag("span", ["class": "score"], [.text(NumberText.percent(Double(answer.score), 0))]),
        .tag("span", ["class": "spoken"], [.text(judgement)]),
      ])
  }

  /// A small copy of the picture; a blank where it cannot be read any more.
  private func picture(_ path: String) -> Markup {
    do throws(ApusError) {
      let image = try ImageDecoder.decode(contentsOf: path).image
      let small = try Thumbnail(of: image, side: Self.thumbnailSide, maximumBytes: Self.thumbnailBytes)
      return PageImage(.jpeg, bytes: small.bytes, width: small.width, height: small.height)
        .markup(alternative: "the picture in question")
    } catch {
      return .tag("div", ["class": "blank"], ["not readable"])
    }
  }
}
