import CLibrary
import TensorCore

/// What is wrong with the numbers that a model puts out, told from the numbers alone.
struct OutputCulprits {
  struct Subject {
    let index: Int
    let letter: String
    let classCount: Int
    let outputType: TensorType?
  }

  let shape: OutputShape
  let subject: Subject

  init(shape: OutputShape, _ subject: Subject) {
    self.shape = shape
    self.subject = subject
  }

  var culprits: [Culprit] {
    [notFinite, softmaxTwice, softmaxMissing, saturated, unmoved].compactMap(\.self)
  }

  private func culprit(
    _ kind: Culprit.Kind, _ certainty: Culprit.Certainty, _ statement: String, _ advice: String,
    _ evidence: [(String, Double)]
  ) -> Culprit {
    Culprit(
      kind: kind, model: subject.index, certainty: certainty, statement: "\(subject.letter) \(statement)",
      advice: advice, evidence: evidence.map { Culprit.Evidence(name: $0.0, value: $0.1) })
  }

  private var notFinite: Culprit? {
    guard shape.notFinite > 0 else { return nil }
    let total = (shape.notFinite + shape.count).counted("sample")
    return culprit(
      .notFinite, .found,
      "gives NaN or infinity for \(shape.notFinite) of \(total); "
        + "\(shape.notFinite == 1 ? "it counts" : "they count") as wrong.",
      "Its weights are damaged or too large for their type; the layers say where it begins.",
      [("samples", Double(shape.notFinite))])
  }

  /// The softmax of probabilities p is e^p over a sum: no score is more than e times another, and the logarithms of
  /// the scores over the least add up to 1 less that many times the least p. Logits of a model that tells classes
  /// apart go far beyond.
  private var softmaxTwice: Culprit? {
    let sum = exp(1) + Double(subject.classCount - 1)
    let flattest = exp(1) / sum
    // Half a step of an integer output, of each class' least score.
    let rounding = Double(subject.outputType?.quantization?.scale ?? 0) / 2 * sum * Double(subject.classCount)
    guard subject.classCount >= 3, shape.count >= 5, rounding < 0.5,
      (0.5...(1.05 + rounding)).contains(shape.greatestSpread)
    else { return nil }
    let place =
      shape.softmaxed > 0 ? "to what the model gives, which are probabilities already" : "inside the model"
    return culprit(
      .softmaxTwice, shape.greatestSpread > 0.9 ? .found : .suspected,
      "has scores like those of softmax applied twice: \(place). The greatest is "
        + "\(Double(shape.greatestScore).printed("%.3f")), and no more than \(Double(flattest).printed("%.3f")) "
        + "is possible so.",
      shape.softmaxed > 0
        ? "Say in the model's metadata or its output's scale that they are probabilities."
        : "Remove one softmax: answers stay the same, but their scores say nothing.",
      [
        ("greatest score", Double(shape.greatestScore)), ("greatest score possible after two", flattest),
        ("greatest sum of log ratios (at most 1 after two)", shape.greatestSpread),
      ])
  }

  private var softmaxMissing: Culprit? {
    guard 2 * shape.improbable > shape.count else { return nil }
    return culprit(
      .softmaxMissing, .found,
      "gives numbers beyond 0 and 1 for \(shape.improbable) of \(shape.count.counted("sample")), which are taken for "
        + "scores as they are: softmax is missing.",
      "See what the model's configuration says of its problem_type.",
      [("samples", Double(shape.improbable))])
  }

  /// Integer outputs of which several are at the end of their range cannot be told apart.
  private var saturated: Culprit? {
    guard let type = subject.outputType, type.quantization != nil, shape.count >= 10,
      Double(shape.saturated) >= 0.05 * Double(shape.count)
    else { return nil }
    return culprit(
      .saturated, .suspected,
      "has two or more classes at the greatest number that its output reaches for \(shape.saturated) of "
        + "\(shape.count) samples: its range is too narrow.",
      "Quantize the model again with a wider range for its output.", [("samples", Double(shape.saturated))])
  }

  private var unmoved: Culprit? {
    guard shape.count >= 5, shape.variation == 0 else { return nil }
    return culprit(
      .constantAnswer, .found, "gives the very same outputs for all \(shape.count) samples.",
      "Nothing of the input reaches its output: look at its first layers and at how inputs are prepared.",
      [("greatest difference of an output", Double(shape.variation))])
  }
}
