import HTMLReport

extension ComparisonPage {
  /// What is needed to get the same figures again.
  var provenanceSection: Markup? {
    let made = report.provenance
    var facts: [(name: String, value: [Markup])] = [
      ("Date", [.text(made.date)]), ("Data", dataWords),
    ]
    for (position, model) in report.models.enumerated() {
      facts.append(
        (
          "Model \(model.letter)",
          [
            key(position),
            .tag("small", [.outside(model.path)]),
            .tag(
              "small", [.text("\(model.kind), \(NumberText.count(model.classCount, "class", "classes"))")]),
            .tag("small", [.text(model.computation.summary)]),
            .tag("small", [.text("Input: " + model.preprocessing)]),
          ]
        ))
    }
    if !made.arguments.isEmpty {
      facts.append(
        ("Command", [.tag("code", [.text(made.arguments.map(ShellWord.quoted).joined(separator: " "))])]))
    }
    let limit = made.limit.map { ", at most \(samples($0))" } ?? ""
    facts += [
      ("Seed", ["\(String(made.seed)), \(NumberText.count(made.resamples)) resamples\(limit)"]),
      (
        "Processor",
        ["\(made.processor), kernels for \(made.kernelSet), \(NumberText.count(made.threads, "thread"))"]
      ),
      ("Build", [.text(made.isOptimized ? "optimised" : "not optimised: times say nothing")]),
    ]
    facts += made.versions.map { ($0.name, [.text($0.version)]) }
    return .section(
      "How this was made", about: ["With the same seed, files and processor the answers come out the same."],
      [.facts(facts)] + skipped)
  }

  private var dataWords: [Markup] {
    let data = report.data
    let matching = data.matching.map { ", labels matched \($0)" } ?? ""
    return [
      .outside(data.path),
      .tag(
        "small",
        [
          .text(
            """
            \(data.form)\(matching); \(NumberText.count(data.samples.count)) of \
            \(NumberText.count(data.available)) used
            """)
        ]),
    ]
  }

  private var skipped: [Markup] {
    let skipped = report.data.skipped
    guard !skipped.isEmpty else { return [] }
    var table = DataTable(caption: "Left out", [(["Sample"], .text), (["Reason"], .text)])
    for sample in skipped.prefix(Self.skippedShown) {
      table.append([[.outside(sample.name)], [.text(sample.reason)]])
    }
    let rest = skipped.count - Self.skippedShown
    return [
      .details(
        "\(samples(skipped.count)) left out, and why",
        [table.markup, rest > 0 ? .note(["\(NumberText.count(rest)) more."]) : .none])
    ]
  }

  private static let skippedShown = 50
}
