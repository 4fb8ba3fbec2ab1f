import HTMLReport
import Statistics
import TensorCore

/// A comparison as one self-contained HTML page: the outcome in a sentence, then what it rests on.
public struct ComparisonPage: Sendable {
  let report: ComparisonReport

  /// - Parameter report: what the page tells.
  public init(_ report: ComparisonReport) { self.report = report }

  /// The page. Pictures whose answers changed are opened for their thumbnails; one that cannot be read is left
  /// blank.
  public func html() -> String {
    let headline = ComparisonHeadline(self)
    let head: [Markup] = [
      .masthead(
        kicker: ["Apus · model comparison"], headline: headline.sentence, standfirst: headline.standfirst)
    ]
    let sections = [
      accuracySection, pairSection, culpritSection, confidenceSection, confusionSection, classSection,
      layerSection, speedSection, flipSection, sampleSection, provenanceSection,
    ]
    let title = report.models.map { name(ofModel: $0.name) }.joined(separator: " · ")
    return Page(
      title: "\(title) – Apus comparison", body: head + headline.figures + sections.compactMap(\.self)
    ).html
  }
}

/// What the sections refer to by position.
extension ComparisonPage {
  /// The model at a position of the report.
  func model(_ position: Int) -> ModelReport? {
    report.models.indices.contains(position) ? report.models[position] : nil
  }

  /// The name that is shown for a model: the last part of a path where that tells the models apart.
  func name(ofModel name: String) -> String {
    let short = report.models.map { Self.lastPart($0.name) }
    return Set(short.map { ExactText($0) }).count == short.count ? Self.lastPart(name) : name
  }

  private static func lastPart(_ path: String) -> String {
    FileName.last(of: path)
  }

  /// The colour, shape and name of a model in charts.
  func series(_ position: Int) -> Series {
    guard let model = model(position) else { return Series("–", position) }
    return Series("\(model.letter) \(name(ofModel: model.name))", position)
  }

  /// The name of a model in running text.
  func mention(_ position: Int) -> Markup { .outside(model(position).map { name(ofModel: $0.name) } ?? "–") }

  /// The name of a model in its colour, with its letter, which stands alone where there is no room.
  func key(_ position: Int) -> Markup {
    guard let model = model(position) else { return "–" }
    return .tag(
      "span", ["class": "key s\(position % 4)"],
      [
        .text(model.letter), .tag("span", ["class": "name"], [" ", .outside(name(ofModel: model.name))]),
      ])
  }

  /// The name of a class.
  func className(_ position: Int) -> String {
    report.data.classes.indices.contains(position) ? report.data.classes[position] : "class \(position)"
  }

  /// Pictures or texts.
  func samples(_ count: Int) -> String {
    NumberText.count(count, report.task == .textClassification ? "text" : "picture")
  }

  /// The heading of the part of a section that is about a pair; nothing where there is one pair only.
  func heading(_ baseline: Int, _ other: Int) -> [Markup] {
    guard report.models.count > 2 else { return [] }
    return [.tag("h3", names(baseline, other))]
  }

  /// What a table of a pair is called, so that no two are called the same.
  func caption(_ text: String, _ baseline: Int, _ other: Int) -> String {
    guard report.models.count > 2, let first = model(baseline), let second = model(other) else { return text }
    return "\(text): \(second.letter) beside \(first.letter)"
  }

  /// The names of a pair.
  func names(_ baseline: Int, _ other: Int) -> [Markup] { [key(other), " beside ", key(baseline)] }
}
