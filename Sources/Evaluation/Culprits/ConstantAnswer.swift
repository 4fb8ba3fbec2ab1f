import Statistics

/// A model that says the same of nearly everything.
struct ConstantAnswer {
  let model: Int
  let letter: String
  let classes: [String]

  /// Fewer samples tell nothing.
  private static let leastSamples = 10

  /// - Parameter reference: what the samples are, or another model's answers to them.
  func culprits(answers: [Int], reference: [Int]) -> [Culprit] {
    guard answers.count >= Self.leastSamples, let (answer, share) = Self.commonest(answers), share >= 0.95,
      classes.indices.contains(answer)
    else { return [] }
    let expected = Double(reference.count { $0 == answer }) / Double(max(reference.count, 1))
    guard expected < 0.75 else { return [] }
    return [
      Culprit(
        kind: .constantAnswer, model: model, certainty: expected < 0.5 ? .found : .suspected,
        statement:
          "\(letter) says '\(classes[answer])' for \(Verdict.percent(share)) of the samples, whatever they "
          + "show.",
        advice: "Check how its inputs are prepared, and its weights.",
        evidence: [
          .init(name: "share of the commonest answer", value: share),
          .init(name: "share of that class expected", value: expected),
        ])
    ]
  }

  private static func commonest(_ answers: [Int]) -> (answer: Int, share: Double)? {
    let counts = Dictionary(answers.map { ($0, 1) }, uniquingKeysWith: +)
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map {
      ($0.key, Double($0.value) / Double(answers.count))
    }
  }
}
