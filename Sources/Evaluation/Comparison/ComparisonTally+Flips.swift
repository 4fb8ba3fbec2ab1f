extension ComparisonTally {
  /// The samples for which two models name different classes, those that became wrong first, then those that became right.
  /// - Parameter baseline: the model that takes the baseline's place.
  func flips(_ baseline: Int, _ other: Int) -> [Flip] {
    let (a, b) = (models[baseline], models[other])
    let flips = a.answers.indices.filter { a.answers[$0] != b.answers[$0] }.map { sample in
      Flip(
        sample: sample, kind: Self.kind(truths[sample], a.answers[sample], b.answers[sample]),
        baseline: Flip.Answer(label: a.answers[sample], score: a.confidences[sample]),
        other: Flip.Answer(label: b.answers[sample], score: b.confidences[sample]))
    }
    let order = Dictionary(uniqueKeysWithValues: Flip.Kind.allCases.enumerated().map { ($1, $0) })
    return flips.sorted { (order[$0.kind] ?? 0, $0.sample) < (order[$1.kind] ?? 0, $1.sample) }
  }

  private static func kind(_ truth: Int?, _ baseline: Int, _ other: Int) -> Flip.Kind {
    guard let truth else { return .unlabelled }
    return baseline == truth ? .becameWrong : other == truth ? .becameRight : .bothWrong
  }
}
