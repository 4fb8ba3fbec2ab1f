import HTMLReport
import Networks
import Statistics
import TensorCore

/// A model's results for pictures as one self-contained HTML page: how often each label is best, and the pictures with
/// labels and bars.
package struct PicturePage: Sendable {
  /// How the answers came about.
  package struct Circumstances: Sendable {
    /// The model, as the caller named it.
    package var model: String
    /// The folder with the tower that embeds labels; nil where the model has it.
    package var textModel: String?
    /// How pictures are prepared.
    package var preprocessing: String
    package var computation: Computation
    /// The labels that pictures were scored against; nil where the model has its own.
    package var labels: [String]?
    /// Labels that were cut because they are longer than the model takes.
    package var cutLabels: [String]
    /// The arguments of the command.
    package var arguments: [String]

    package init(
      model: String, textModel: String? = nil, preprocessing: String, computation: Computation,
      labels: [String]? = nil, cutLabels: [String] = [], arguments: [String]
    ) {
      self.model = model
      self.textModel = textModel
      self.preprocessing = preprocessing
      self.computation = computation
      self.labels = labels
      self.cutLabels = cutLabels
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
    guard let answer = answers.first else {
      return [pictures.count == 1 ? "It could not be classified." : "None of them could be classified."]
    }
    if answers.count == 1 { return Self.standfirst(of: answer) }
    let most = best.first?.certain ?? 0
    let leading = best.filter { $0.certain == most }
    guard most > 0, let first = leading.first else { return ["The model is certain of none of them."] }
    let count = NumberText.count(most, "picture")
    guard leading.count > 1 else {
      return [.outside(first.label), .text(" is the best label of \(count), more than any other.")]
    }
    return [.text("\(NumberText.count(leading.count, "label")) are the best of \(count) each, none of more.")]
  }

  private static func standfirst(of answer: ShownPicture.Answer) -> [Markup] {
    if answer.isForeign { return ["It is unlike all that the model knows."] }
    guard let first = answer.scores.first else { return [] }
    let uncertain = answer.isUncertain ? ", which is uncertain" : ""
    return ["Its best label is ", .outside(first.label), .text("\(uncertain).")]
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
  /// A label that is the best of pictures which are not foreign.
  private struct BestLabel {
    let label: String
    /// Scores where the model is certain.
    var shares: [Float] = []
    var uncertain = 0

    var certain: Int { shares.count }
    /// Nil where the model is never certain of it.
    var mean: Double? {
      certain > 0 ? shares.reduce(0.0) { $0 + Double($1) } / Double(certain) : nil
    }
  }

  /// Labels by how often each is the best with certainty, most often first.
  private var best: [BestLabel] {
    var labels: [ExactText: BestLabel] = [:]
    for answer in answers where !answer.isForeign {
      guard let first = answer.scores.first else { continue }
      let key = ExactText(first.label)
      var label = labels[key] ?? BestLabel(label: first.label)
      if answer.isUncertain { label.uncertain += 1 } else { label.shares.append(first.share) }
      labels[key] = label
    }
    return labels.values.sorted {
      ($1.certain, $1.uncertain, $0.label) < ($0.certain, $0.uncertain, $1.label)
    }
  }

  private static let labelsShown = 30

  private var labelSection: Markup? {
    let best = best
    guard answers.count > 1, !best.isEmpty else { return nil }
    let known = answers.count { !$0.isForeign }
    var table = DataTable(
      caption: "Labels by the pictures that they are the best of",
      [
        (["Label"], .text), (["Pictures"], .number), (["Share"], .number), (["Uncertain"], .number),
        (["Mean score"], .number),
      ])
    for row in best.prefix(Self.labelsShown) {
      table.append([
        [.outside(row.label)], [.text(NumberText.count(row.certain))],
        [.text(NumberText.percent(Double(row.certain) / Double(known)))],
        [.text(NumberText.count(row.uncertain))], [.text(row.mean.map { NumberText.percent($0) } ?? "–")],
      ])
    }
    let rest = best.count - Self.labelsShown
    return .section(
      "Labels",
      about: [
        """
        How often each is the best, and how sure the model is of it then. Uncertain pictures are counted apart, foreign \
        ones not at all.
        """
      ],
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
      ].compactMap(\.self),
      bars: answer.scores.map { ($0.label, Double($0.share)) }, notes: answer.notes,
      isUncertain: answer.isUncertain)
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
    ]
    if let texts = circumstances.textModel {
      facts.append(("Tower for labels", [.outside(FileName.readable(texts))]))
    }
    facts += [
      ("Input", [.text(circumstances.preprocessing)]),
      ("Computation", [.text(circumstances.computation.summary)]),
    ]
    if let labels = circumstances.labels {
      facts.append(("Labels", [.outside(labels.joined(separator: ", "))]))
    }
    if !circumstances.cutLabels.isEmpty {
      let labels = circumstances.cutLabels.joined(separator: ", ")
      facts.append(("Cut, as longer than the model takes", [.outside(labels)]))
    }
    if !circumstances.arguments.isEmpty {
      let words = circumstances.arguments.map { ShellWord.quoted(FileName.readable($0)) }
      facts.append(("Command", [.tag("code", [.text((["apus"] + words).joined(separator: " "))])]))
    }
    facts.append(("apus", [.text(ApusVersion.current)]))
    return .section("How this was made", [.facts(facts)])
  }
}
