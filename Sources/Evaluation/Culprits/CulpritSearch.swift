import Statistics
import TensorCore

/// Looks for the usual causes of bad figures.
struct CulpritSearch {
  let comparison: Comparison
  let tally: ComparisonTally
  let layers: [LayerReport]

  init(_ comparison: Comparison, _ tally: ComparisonTally, layers: [LayerReport]) {
    self.comparison = comparison
    self.tally = tally
    self.layers = layers
  }

  /// What was found, what is certain first.
  /// - Throws: ``ApusError`` of kind `cancelled`.
  func culprits() throws(ApusError) -> [Culprit] {
    var culprits: [Culprit] = []
    let preparations = try PreparationSearch(comparison, tally).culprits()
    for index in comparison.entries.indices {
      culprits += OutputCulprits(shape: tally.models[index].shape, subject(index)).culprits
      culprits += causes(index, preparations: preparations.filter { $0.model == index })
    }
    // With a wrong layer, another preparation may help by accident.
    culprits = layers.flatMap(\.culprits) + culprits
    return culprits.filter { $0.certainty == .found } + culprits.filter { $0.certainty == .suspected }
  }

  /// Why a model's answers are wrong. What a wrong preparation confuses may look like exchanged names, and the other
  /// way round: the cause whose removal explains more stands.
  private func causes(_ index: Int, preparations: [Culprit]) -> [Culprit] {
    let names = labels(index)
    func explained(_ culprits: [Culprit]) -> Double { culprits.compactMap(\.remedied).max() ?? 0 }
    if !names.isEmpty, explained(names) > explained(preparations) { return names }
    return preparations.isEmpty ? constantAnswer(index) : preparations
  }

  private func subject(_ index: Int) -> OutputCulprits.Subject {
    let entry = comparison.entries[index]
    return OutputCulprits.Subject(
      index: index, letter: ReportWriter.letter(index), classCount: entry.model.classCount,
      outputType: entry.model.outputType)
  }

  /// The right classes; without labels, the baseline's answers.
  private func reference(for index: Int) -> [Int]? {
    if tally.isLabelled { return tally.truths.compactMap(\.self) }
    return index == 0 ? nil : tally.models[0].answers
  }

  private func labels(_ index: Int) -> [Culprit] {
    guard let reference = reference(for: index) else { return [] }
    let letter = ReportWriter.letter(index)
    let numbering = comparison.space.positions[index]
    let search = LabelCulprits(
      model: index, letter: letter, isLabelled: tally.isLabelled,
      classCount: comparison.entries[index].model.classCount)
    let owners = Dictionary(numbering.enumerated().map { ($1, $0) }) { first, _ in first }
    return search.culprits(answers: tally.models[index].ownAnswers, truths: reference.map { owners[$0] })
  }

  private func constantAnswer(_ index: Int) -> [Culprit] {
    let answers = tally.models[index].answers.filter { $0 != tally.models[index].noAnswer }
    let others = reference(for: index) ?? (comparison.entries.count > 1 ? tally.models[1].answers : [])
    return ConstantAnswer(
      model: index, letter: ReportWriter.letter(index), classes: comparison.space.names
    ).culprits(answers: answers, reference: others)
  }
}
