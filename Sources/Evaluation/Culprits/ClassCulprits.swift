import Statistics
import TensorCore

/// Samples of classes that names do not bring together: what two models say of them tells nothing of the models.
struct ClassCulprits {
  private let space: ClassSpace
  private let tally: ComparisonTally

  init(_ space: ClassSpace, _ tally: ComparisonTally) {
    self.space = space
    self.tally = tally
  }

  /// What there is to say of a model beside the baseline.
  func culprits(_ model: Int) -> [Culprit] { [unshared(model), toldByOrder(model)].compactMap(\.self) }

  private func unshared(_ model: Int) -> Culprit? {
    let (ofBaseline, ofModel) = space.unshared(model)
    let samples = samples(of: Set(ofBaseline + ofModel), model)
    guard !samples.isEmpty else { return nil }
    let names = [(ofBaseline, 0), (ofModel, model)].filter { !$0.0.isEmpty }.map { positions, owner in
      "\(ClassName.few(positions.map { space.names[$0] })) of \(ReportWriter.letter(owner))"
    }
    return culprit(
      model, .found, "No class of the other model is called like \(names.joined(separator: ", or ")).",
      samples)
  }

  /// Only where a sample of these classes is answered otherwise: else the order was right, or it does not matter.
  private func toldByOrder(_ model: Int) -> Culprit? {
    let classes = space.toldByOrder[model]
    let samples = samples(of: classes, model)
    guard samples.contains(where: { tally.models[0].answers[$0] != tally.models[model].answers[$0] }) else {
      return nil
    }
    var seen: Set<ExactText> = []
    let names = classes.sorted().map { space.names[$0] }.filter { seen.insert(ExactText($0)).inserted }
    return culprit(
      model, .suspected,
      "Several classes are called \(ClassName.few(names)), and stand in another order in "
        + "\(ReportWriter.letter(model)) than in A: which is which is not known, and the first was taken for the first.",
      samples)
  }

  /// The samples of some classes; without labels, those that either model takes for one.
  private func samples(of classes: Set<Int>, _ model: Int) -> [Int] {
    guard !classes.isEmpty else { return [] }
    return tally.items.indices.filter { sample in
      if let truth = tally.truths[sample] { return classes.contains(truth) }
      return [0, model].contains { classes.contains(tally.models[$0].answers[sample]) }
    }
  }

  private func culprit(
    _ model: Int, _ certainty: Culprit.Certainty, _ statement: String, _ samples: [Int]
  ) -> Culprit {
    let count = tally.items.count.counted("sample")
    let verb = samples.count == 1 ? "is" : "are"
    return Culprit(
      kind: .classNames, model: model, certainty: certainty,
      statement: "\(statement) \(samples.count) of the \(count) \(verb) of such classes"
        + "\(remainder(model, without: Set(samples))).",
      advice:
        "What is lost there need not be the model's loss. Give both models' classes the same names, with "
        + "\(Setting.labels) those of all.",
      evidence: [.init(name: "samples of such classes", value: Double(samples.count))])
  }

  /// How the models compare on the other samples.
  private func remainder(_ model: Int, without samples: Set<Int>) -> String {
    let others = tally.items.indices.filter { !samples.contains($0) }
    guard !others.isEmpty else { return "" }
    func share(_ isCounted: (Int) -> Bool) -> String {
      Verdict.percent(Double(others.count(where: isCounted)) / Double(others.count))
    }
    let letter = ReportWriter.letter(model)
    guard tally.isLabelled else {
      let (base, other) = (tally.models[0].answers, tally.models[model].answers)
      return "; on the others \(letter) and A agree for \(share { base[$0] == other[$0] })"
    }
    let (base, other) = (tally.isRight(0), tally.isRight(model))
    return "; of the others \(letter) is right for \(share { other[$0] }), A for \(share { base[$0] })"
  }
}
