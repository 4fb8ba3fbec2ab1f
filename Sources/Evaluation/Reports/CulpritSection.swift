import HTMLReport

extension ComparisonPage {
  /// What is probably wrong with the models or their use: to be read before any figure is believed.
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
      "Read this first",
      about: report.culprits.isEmpty
        ? [] : ["Usual causes of bad figures were looked for, and these were found."],
      warnings)
  }

  private func warning(_ culprit: Culprit) -> Markup {
    let evidence = culprit.evidence.map { "\($0.name) \(NumberText.significant($0.value, 4))" }
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
