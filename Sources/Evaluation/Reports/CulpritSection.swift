import HTMLReport

extension ComparisonPage {
  /// What is wrong with the models or their use, or may be: to be read before the other figures are believed.
  var culpritSection: Markup? {
    var warnings = report.culprits.map(warning)
    if !report.provenance.isOptimized {
      warnings.append(
        .warning(
          "These times say nothing",
          [.paragraph(["Apus was built without optimisation. Build it with -c release and compare again."])]))
    }
    guard !warnings.isEmpty else { return nil }
    return .section(
      "What is wrong",
      about: report.culprits.isEmpty
        ? [] : ["Usual causes of bad figures were looked for, and these were found."],
      warnings)
  }

  /// Whole numbers as such.
  private static func figure(_ value: Double) -> String {
    let count = Int(exactly: value)
    return count.map { NumberText.count($0) } ?? NumberText.significant(value, 4)
  }

  private func warning(_ culprit: Culprit) -> Markup {
    let evidence = culprit.evidence.map { "\($0.name) \(Self.figure($0.value))" }
    let subject = culprit.model.map { [key($0)] } ?? []
    let certainty = culprit.certainty == .found ? "Found" : "Suspected"
    return .warning(
      culprit.statement,
      [
        .paragraph(subject + [.text(subject.isEmpty ? "" : " · "), .text(certainty)]),
        .paragraph([.text(culprit.advice)]),
        evidence.isEmpty ? .none : .note([.text("Evidence: " + evidence.joined(separator: "; ") + ".")]),
      ])
  }
}
