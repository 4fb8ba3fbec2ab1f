import Apus
import CLibrary

/// What the outputs of a model look like over all samples, apart from what they say.
struct OutputShape: Sendable {
  /// Samples with outputs that are NaN or infinite.
  private(set) var notFinite = 0
  /// Samples with finite outputs.
  private(set) var count = 0
  /// The greatest, over samples, of the sum of ln (score / least score): at most 1 when the scores are the softmax
  /// of probabilities.
  private(set) var greatestSpread = 0.0
  /// The greatest score of any sample.
  private(set) var greatestScore: Float = 0
  /// Samples with softmax applied to the outputs.
  private(set) var softmaxed = 0
  /// Samples with outputs beyond 0 and 1 that were taken for scores as they are.
  private(set) var improbable = 0
  /// The least and the greatest output of each class.
  private var least: [Float] = []
  private var greatest: [Float] = []
  /// How often two or more classes had the greatest number that any output had.
  private var tiesAtTop = 0
  private var top = -Float.infinity

  mutating func addNotFinite() { notFinite += 1 }

  mutating func add(_ outputs: [Float], scores: [Float], meaning: ScoreMeaning) {
    count += 1
    let lowest = Double(scores.min() ?? 0)
    let spread =
      lowest > 0 && !meaning.isIndependent ? scores.reduce(0.0) { $0 + log(Double($1) / lowest) } : .infinity
    greatestSpread = max(greatestSpread, spread)
    greatestScore = max(greatestScore, scores.max() ?? 0)
    if meaning == .logits { softmaxed += 1 }
    if meaning != .logits, meaning != .independentLogits,
      outputs.contains(where: { $0 < -0.01 || $0 > 1.01 })
    {
      improbable += 1
    }
    addRange(outputs)
    addTop(outputs)
  }

  /// The greatest difference that any class' output has between samples.
  var variation: Float { zip(least, greatest).map { $1 - $0 }.max() ?? 0 }

  /// Samples in which several classes share the greatest number that the outputs ever have.
  var saturated: Int { tiesAtTop }

  private mutating func addRange(_ outputs: [Float]) {
    guard !least.isEmpty else {
      least = outputs
      greatest = outputs
      return
    }
    for (index, value) in outputs.enumerated() where least.indices.contains(index) {
      least[index] = min(least[index], value)
      greatest[index] = max(greatest[index], value)
    }
  }

  private mutating func addTop(_ outputs: [Float]) {
    guard let most = outputs.max(), most >= top else { return }
    let hasTie = outputs.count { $0 == most } > 1
    tiesAtTop = (most > top ? 0 : tiesAtTop) + (hasTie ? 1 : 0)
    top = most
  }
}
