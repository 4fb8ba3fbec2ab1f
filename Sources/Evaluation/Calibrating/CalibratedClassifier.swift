import Apus
import Formats
import Statistics
import TensorCore

/// What a model gave for a picture that calibrates it.
struct CalibrationSample {
  let logits: [Float]
  let features: [Float]
  /// The class; nil of a foreign picture.
  let label: Int?
}

/// What a calibration came to, and what it measured on pictures that a rejection was not fitted with.
package struct CalibratedClassifier: Sendable {
  /// What became of known pictures, or of foreign ones.
  package struct Answers: Sendable {
    package let count: Int
    package let certain: Int
    /// Certain and right.
    package let right: Int
  }

  package let temperature: Float
  /// The score below which an answer is uncertain.
  package let threshold: Float
  /// Nil where the model shows no features.
  package let rejection: (model: Rejection, threshold: Float)?
  package let known: Answers
  /// Nil without foreign pictures.
  package let foreign: Answers?
  /// Right answers, certain or not.
  package let rightCount: Int
  /// The expected calibration error of the model's own scores, and with the temperature.
  package let calibrationError: (before: Double, after: Double)

  /// - Parameter parts: into how many each class is divided for judging.
  init(
    _ known: [CalibrationSample], foreign: [CalibrationSample], classCount: Int, parts: Int,
    _ demands: CertaintyDemands
  ) throws(ApusError) {
    let classes = known.compactMap(\.label)
    guard classes.count == known.count, Set(classes).count > 1 else {
      throw ApusError(.configuration, "pictures of one class", expected: "of two at least")
    }
    temperature = TemperatureFit.temperature(known.map(\.logits), classes)
    calibrationError = (Self.error(known, 1), Self.error(known, temperature))
    let novelties = try Self.novelties(known, foreign, classCount: classCount, parts: parts)
    let answers = Self.answers(known, novelties.known, temperature)
    let foreignAnswers = Self.answers(foreign, novelties.foreign, temperature)
    let choice = CertaintyChoice(answers, foreign: foreignAnswers, demands)
    threshold = choice.threshold
    rejection = try choice.novelty.map { (novelty) throws(ApusError) in
      (
        try RejectionFit()(
          known.map(\.features), classes, foreign: foreign.map(\.features), classCount: classCount), novelty
      )
    }
    rightCount = answers.count(where: \.isRight)
    self.known = Self.count(answers, choice)
    self.foreign = foreign.isEmpty ? nil : Self.count(foreignAnswers, choice)
  }

  private static func count(_ answers: [CertaintyChoice.Answer], _ choice: CertaintyChoice) -> Answers {
    let certain = answers.filter(choice.isCertain)
    return Answers(count: answers.count, certain: certain.count, right: certain.count(where: \.isRight))
  }

  private static func scores(_ sample: CalibrationSample, _ temperature: Float) -> [Float] {
    (try? ClassScores(sample.logits, meaning: .logits, temperature: temperature).values) ?? []
  }

  private static func error(_ samples: [CalibrationSample], _ temperature: Float) -> Double {
    let scores = samples.map { Self.scores($0, temperature) }
    return Calibration(
      confidences: scores.map { Double($0.max() ?? 0) },
      isRight: zip(scores, samples).map { Ranking.best($0) == $1.label }
    ).expectedError
  }

  private static func answers(
    _ samples: [CalibrationSample], _ novelties: [Float]?, _ temperature: Float
  ) -> [CertaintyChoice.Answer] {
    samples.indices.map { index in
      let scores = scores(samples[index], temperature)
      return CertaintyChoice.Answer(
        score: scores.max() ?? 0, novelty: novelties?[index],
        isRight: Ranking.best(scores) == samples[index].label)
    }
  }

  /// The novelty of each picture by a rejection that was fitted without its part; nil without features.
  private static func novelties(
    _ known: [CalibrationSample], _ foreign: [CalibrationSample], classCount: Int, parts: Int
  ) throws(ApusError) -> (known: [Float]?, foreign: [Float]?) {
    guard known.allSatisfy({ !$0.features.isEmpty }) else { return (nil, nil) }
    let knownParts = Self.parts(known.map { $0.label ?? 0 }, parts)
    // Neighbours are of one kind, of which each part shall have some.
    let foreignParts = foreign.indices.map { $0 % parts }
    var (knownNovelties, foreignNovelties) = (
      [Float](repeating: 0, count: known.count), [Float](repeating: 0, count: foreign.count)
    )
    for part in 0..<parts {
      let fitted = known.indices.filter { knownParts[$0] != part }
      let rejection = try RejectionFit()(
        fitted.map { known[$0].features }, fitted.compactMap { known[$0].label },
        foreign: foreign.indices.filter { foreignParts[$0] != part }.map { foreign[$0].features },
        classCount: classCount)
      for index in known.indices where knownParts[index] == part {
        knownNovelties[index] = rejection.novelty(known[index].features)
      }
      for index in foreign.indices where foreignParts[index] == part {
        foreignNovelties[index] = rejection.novelty(foreign[index].features)
      }
    }
    return (knownNovelties, foreignNovelties)
  }

  /// The part of each sample: those of a class in as many runs of neighbours.
  private static func parts(_ classes: [Int], _ count: Int) -> [Int] {
    let totals = Dictionary(classes.map { ($0, 1) }, uniquingKeysWith: +)
    var seen: [Int: Int] = [:]
    return classes.map { label in
      let place = seen[label, default: 0]
      seen[label] = place + 1
      return place * count / max(totals[label] ?? 1, 1)
    }
  }
}
