/// The macro-F1 of samples that may be there several times or not at all, for ``Bootstrap``.
package struct ResampledMacroF1: Sendable {
  private let truths: [Int]
  private let answers: [Int]
  private let classCount: Int

  /// - Parameters:
  ///   - truths: the class of each sample.
  ///   - answers: the class that each was said to be of.
  package init(truths: [Int], answers: [Int]) {
    let classes = Set(truths).union(answers).sorted()
    let places = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, $0) })
    self.truths = truths.map { places[$0] ?? 0 }
    self.answers = answers.map { places[$0] ?? 0 }
    classCount = classes.count
  }

  /// As ``ConfusionMatrix/macroF1``.
  /// - Parameter times: how often each sample is there.
  package func callAsFunction(_ times: [Int]) -> Double {
    var hits = [Int](repeating: 0, count: classCount)
    var said = hits
    for index in times.indices where times[index] > 0 {
      let (truth, answer, count) = (truths[index], answers[index], times[index])
      said[truth] += count
      said[answer] += count
      if truth == answer { hits[truth] += count }
    }
    var (sum, occurring) = (0.0, 0)
    for (hits, said) in zip(hits, said) where said > 0 {
      sum += 2 * Double(hits) / Double(said)
      occurring += 1
    }
    return occurring > 0 ? sum / Double(occurring) : 0
  }
}
