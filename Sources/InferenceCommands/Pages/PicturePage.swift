import HTMLReport
import Networks
import Statistics
import TensorCore

/// What a model says of pictures as one self-contained HTML page: the pictures with labels and bars, and before them
/// how often each label is the best.
package struct PicturePage: Sendable {
  /// How the answers came about.
  package struct Circumstances: Sendable {
    /// The model, as the caller named it.
    package var model: String
    /// How pictures are prepared.
    package var preprocessing: String
    package var computation: Computation
    /// The labels that pictures were scored against; nil where the model has its own.
    package var labels: [String]?
    /// The arguments of the command.
    package var arguments: [String]

    package init(
      model: String, preprocessing: String, computation: Computation, labels: [String]? = nil,
      arguments: [String]
    ) {
      self.model = model
      self.preprocessing = preprocessing
      self.computation = computation
      self.labels = labels
      self.arguments = arguments
    }
  }

  private let pictures: [ShownPicture]
  private let circumstances: Circumstances

  package init(_ pictures: [ShownPicture], _ circumstances: Circumstances) {
    self.pictures = pictures
    self.circumstances = circumstances
  }

  private var answers: [ShownPicture.Answer] { pictures.compactMap { try? $0.answer.get() } }
  private var failed: [ShownPicture] { pictures.filter { (try? $0.answer.get()) == nil } }

  /// The page.
  package func html() -> String {
    let count = NumberText.count(pictures.count, "picture")
    let head: [Markup] = [
      .masthead(
        kicker: ["Apus · pictures"],
        headline: [
          .text("What \(count) \(pictures.count == 1 ? "shows" : "show"), by "), .outside(modelName),
        ],
        standfirst: standfirst),
      .keyFigures(figures),
    ]
    let sections = [pictureSection, failureSection, labelSection, circumstanceSection]
    return Page(
      title: "\(count) by \(modelName) – Apus", body: head + sections.compactMap(\.self)
    ).html
  }

  private var modelName: String { FileName.readable(FileName.last(of: circumstances.model)) }

  private var standfirst: [Markup] {
    guard let first = best.first else { return ["None of them could be classified."] }
    if answers.count == 1 { return ["Its best label is ", .outside(first.label), "."] }
    guard best.count == 1 || best[1].count < first.count else {
      let most = first.count == 1 ? "one" : NumberText.count(first.count)
      return [
        .text("\(NumberText.count(best.count, "label")) are the best of some, none of more than \(most).")
      ]
    }
    return [
      .outside(first.label),
      .text(" is the best label of \(NumberText.count(first.count)), the most of any."),
    ]
  }

  private var figures: [(value: String, meaning: [Markup])] {
    let foreign = answers.count(where: \.isForeign)
    let uncertain = answers.count(where: \.isUncertain) - foreign
    let times = answers.map(\.milliseconds).sorted()
    var figures: [(value: String, meaning: [Markup])] = [
      (NumberText.count(answers.count), [answers.count == 1 ? "picture classified" : "pictures classified"])
    ]
    if uncertain > 0 {
      figures.append((NumberText.count(uncertain), ["uncertain: even the best score is below the threshold"]))
    }
    if foreign > 0 {
      figures.append((NumberText.count(foreign), ["foreign: unlike all that the model knows"]))
    }
    if !failed.isEmpty { figures.append((NumberText.count(failed.count), ["could not be classified"])) }
    if !times.isEmpty {
      let median = NumberText.duration(seconds: times[times.count / 2] / 1000)
      figures.append((median, ["for a picture, the median"]))
    }
    return figures
  }
}

// MARK: Sections

extension PicturePage {
  /// Labels by how often each is the best, most often first.
  private var best: [(label: String, count: Int, mean: Double)] {
    var shares: [String: [Float]] = [:]
    for answer in answers {
      if let first = answer.scores.first { shares[first.label, default: []].append(first.share) }
    }
    return shares.map { label, shares in
      (label, shares.count, shares.reduce(0.0) { $0 + Double($1) } / Double(shares.count))
    }.sorted { ($1.count, $0.label) < ($0.count, $1.label) }
  }

  private static let labelsShown = 30

  private var labelSection: Markup? {
    let best = best
    guard answers.count > 1 else { return nil }
    var table = DataTable(
      caption: "Labels by the pictures that they are the best of",
      [(["Label"], .text), (["Pictures"], .number), (["Share"], .number), (["Mean score"], .number)])
    for row in best.prefix(Self.labelsShown) {
      table.append([
        [.outside(row.label)], [.text(NumberText.count(row.count))],
        [.text(NumberText.percent(Double(row.count) / Double(answers.count)))],
        [.text(NumberText.percent(row.mean))],
      ])
    }
    let rest = best.count - Self.labelsShown
    return .section(
      "Labels", about: ["How often each is the best, and how sure the model is of it then."],
      [
        table.markup,
        rest > 0
          ? .note([.text("\(NumberText.count(rest, "label")) more, each of no more pictures than the last.")])
          : .none,
      ])
  }

  private var pictureSection: Markup? {
    guard !answers.isEmpty else { return nil }
    return .section(
      "Pictures", about: ["In the order in which they were given."], [.pictures(pictures.compactMap(item))])
  }

  private func item(_ picture: ShownPicture) -> Markup? {
    guard let answer = try? picture.answer.get() else { return nil }
    let name = FileName.readable(FileName.last(of: picture.path))
    return .pictureItem(
      picture.thumbnail?.markup(alternative: name),
      name: FileName.readable(picture.path.split(separator: "/").suffix(2).joined(separator: "/")),
      remarks: [
        answer.isForeign ? "foreign" : answer.isUncertain ? "uncertain" : nil,
        answer.damage.map { "damaged: \($0)" },
      ].compactMap(
        \.self),
      bars: answer.scores.map { ($0.label, Double($0.share)) }, isUncertain: answer.isUncertain)
  }

  private var failureSection: Markup? {
    guard !failed.isEmpty else { return nil }
    var table = DataTable(caption: "Files without a result", [(["File"], .text), (["Reason"], .text)])
    for picture in failed {
      if case .failure(let error) = picture.answer {
        table.append([[.outside(FileName.readable(picture.path))], [.text("\(error)")]])
      }
    }
    return .section("Not classified", [table.markup])
  }

  private var circumstanceSection: Markup {
    var facts: [(name: String, value: [Markup])] = [
      ("Date", [.text(ReportDate.now)]), ("Model", [.outside(FileName.readable(circumstances.model))]),
      ("Input", [.text(circumstances.preprocessing)]),
      ("Computation", [.text(circumstances.computation.summary)]),
    ]
    if let labels = circumstances.labels {
      facts.append(("Labels", [.outside(labels.joined(separator: ", "))]))
    }
    if !circumstances.arguments.isEmpty {
      let words = circumstances.arguments.map { ShellWord.quoted(FileName.readable($0)) }
      facts.append(("Command", [.tag("code", [.text((["apus"] + words).joined(separator: " "))])]))
    }
    facts.append(("apus", [.text(ApusVersion.current)]))
    return .section("How this was made", [.facts(facts)])
  }
}
