import Apus
import JSONCoding
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

  /// Nil where the pictures do not tell it: scores stay as they are.
  package let temperature: Float?
  /// The score below which an answer is uncertain.
  package let threshold: Float
  /// Nil where the model shows no features, or ``lacksPairs``.
  package let rejection: FittedRejection?
  /// Whether the model shows features, and yet no class has two pictures: a rejection goes by how those of a class scatter.
  package let lacksPairs: Bool
  package let known: Answers
  /// Nil without foreign pictures.
  package let foreign: Answers?
  /// Of each kind of foreign pictures, where there are several, in the order of their names.
  package let foreignKinds: [(kind: String, answers: Answers)]
  /// Right answers, certain or not.
  package let rightCount: Int
  /// Known pictures whose right class has a score of 0, at which a temperature changes nothing.
  package let ruledOutCount: Int
  /// The expected calibration error of the model's own scores, and with the temperature; the same where there is none.
  package let calibrationError: (before: Double, after: Double)

  /// - Parameter kinds: of each foreign sample.
  /// - Throws: ``ApusError`` of kind `configuration` for pictures of one class, and labels of which scores say nothing.
  init(
    _ known: [CalibrationSample], foreign: [CalibrationSample], kinds: [String], classCount: Int,
    _ demands: CertaintyDemands
  ) throws(ApusError) {
    let classes = known.compactMap(\.label)
    guard classes.count == known.count, Set(classes).count > 1 else {
      throw ApusError(.configuration, "pictures of one class", expected: "of two at least")
    }
    temperature = try Self.temperature(known, classes)
    let divisor = temperature ?? 1
    calibrationError = (Self.error(known, 1), Self.error(known, divisor))
    lacksPairs = known.allSatisfy { !$0.features.isEmpty } && Set(classes).count == classes.count
    let novelties = try HeldOutNovelties(
      lacksPairs ? known.map { _ in [] } : known.map(\.features), classes, foreign: foreign.map(\.features),
      classCount: classCount)
    let answers = Self.answers(known, novelties?.known, divisor)
    let foreignAnswers = Self.answers(foreign, novelties?.foreign, divisor, kinds)
    let choice = CertaintyChoice(answers, foreign: foreignAnswers, demands)
    threshold = choice.threshold
    rejection = try choice.novelty.map { (novelty) throws(ApusError) in
      FittedRejection(
        model: try RejectionFit()(
          known.map(\.features), classes, foreign: foreign.map(\.features), classCount: classCount),
        threshold: novelty)
    }
    rightCount = answers.count(where: \.isRight)
    ruledOutCount = zip(known, classes).count(where: { $0.logits[$1] == -.infinity })
    self.known = Self.count(answers, choice)
    self.foreign = foreign.isEmpty ? nil : Self.count(foreignAnswers, choice)
    foreignKinds = choice.byKind(foreignAnswers).map { ($0.kind, Self.count($0.answers, choice)) }
  }

  private static func temperature(
    _ known: [CalibrationSample], _ classes: [Int]
  ) throws(ApusError) -> Float? {
    switch TemperatureFit.outcome(known.map(\.logits), classes) {
    case .found(let temperature): return temperature
    case .unbounded: return nil
    case .meaningless:
      let right = known.count(where: { Ranking.best($0.logits) == $0.label })
      throw ApusError(
        .configuration, "scores say nothing of the labels: \(right) of \(known.count) are right",
        expected: "the labels that the model was trained for",
        advice: "Labels may be swapped: check what \(Doing.classify) calls some of the pictures.")
    }
  }

  /// The temperature that stands in a `meta.json` and ``write(metadata:)`` takes out, as none was found to take its place.
  /// - Throws: ``ApusError`` of kind `file`; `configuration` when the file that is there is no JSON object.
  package func removedTemperature(metadata path: String) throws(ApusError) -> String? {
    try temperature == nil ? CalibrationFiles.text(of: "temperature", in: path) : nil
  }

  /// Whether a `meta.json` names a rejection that ``write(metadata:)`` takes out, as none was fitted to take its place.
  /// - Throws: ``ApusError`` of kind `file`; `configuration` when the file that is there is no JSON object.
  package func removesRejection(metadata path: String) throws(ApusError) -> Bool {
    guard rejection == nil else { return false }
    return try CalibrationFiles.text(of: "rejection", in: path) != nil
  }

  /// Writes `rejection.apus` beside a `meta.json`, and into that what was fitted; its other members stay, but for a
  /// temperature where none was found: scores would be others than those that the threshold was fitted to.
  /// - Returns: the files that were written.
  /// - Throws: ``ApusError`` of kind `file`; `configuration` when the file that is there is no JSON object.
  package func write(metadata path: String) throws(ApusError) -> [String] {
    var members = [JSONValue.Member(key: "threshold_default", value: .number("\(threshold)"))]
    if let temperature {
      members.append(JSONValue.Member(key: "temperature", value: .number("\(temperature)")))
    }
    return try CalibrationFiles.write(to: path, members, removing: ["temperature"], rejection)
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
    _ samples: [CalibrationSample], _ novelties: [Float]?, _ temperature: Float, _ kinds: [String] = []
  ) -> [CertaintyChoice.Answer] {
    samples.indices.map { index in
      let scores = scores(samples[index], temperature)
      return CertaintyChoice.Answer(
        score: scores.max() ?? 0, novelty: novelties?[index],
        isRight: Ranking.best(scores) == samples[index].label,
        kind: kinds.isEmpty ? "" : kinds[index])
    }
  }
}
