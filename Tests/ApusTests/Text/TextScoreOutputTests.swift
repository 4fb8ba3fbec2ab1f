import Apus
import Formats
import TestSupport
import Testing

/// Which of several outputs of a file for texts has the scores of classes.
@Suite struct TextScoreOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func classifier(
    _ outputs: [ManyOutputTextModel.Output], labelled: Int? = nil, names: [String] = [], labels: String? = nil
  ) throws -> TextClassifier {
    let bytes = try ManyOutputTextModel.bytes(outputs, labelled: labelled, names: names)
    // A file in use is not written over.
    let name = outputs.map { "\($0.rawValue)" }.joined(separator: "-")
    let path = try folder.write("texts-\(name)-\(names.joined(separator: "-")).tflite", bytes)
    return try TextClassifier(path, options: .init(labels: labels))
  }

  /// The mean of "good", "good" and "bad", with a piece of no meaning before them, has logits 2, 1 and 0.
  private func expectScores(_ classifier: TextClassifier) throws {
    let results = try classifier.blocking.classify(["good good bad", "good good bad"])
    let outputs = try classifier.outputs(for: "good good bad")
    let other = try classifier.scores(of: outputs)
    for result in results {
      #expect(result.predictions.map(\.index) == [0, 1, 2])
      for (prediction, expected) in zip(result.predictions, [0.665_241, 0.244_728, 0.090_031] as [Float]) {
        #expect(abs(prediction.score - expected) < 1e-5)
        #expect(prediction.score == other[prediction.index])
      }
    }
  }

  @Test func probabilitiesBesideFeaturesAreTheScores() throws {
    for outputs in [[.features, .probabilities], [.probabilities, .features], [.probabilities]]
      as [[ManyOutputTextModel.Output]]
    {
      let classifier = try classifier(outputs)
      #expect(classifier.labels.count == 3)
      try expectScores(classifier)
    }
  }

  @Test func metadataThatNameClassesSayWhichOutputHasThem() throws {
    for (outputs, labelled) in [([.features, .logits], 1), ([.logits, .probabilities], 0)]
      as [([ManyOutputTextModel.Output], Int)]
    {
      let classifier = try classifier(outputs, labelled: labelled)
      #expect(classifier.labels == ManyOutputTextModel.labels)
      #expect(classifier.threshold == 0.375)
      try expectScores(classifier)
    }
  }

  @Test func labelsTellWhichOutputHasAsManyNumbers() throws {
    let labels = try folder.write("three.txt", "good\nbad\nneither\n")
    let given = try classifier([.features, .logits], labels: labels)
    #expect(given.labels == ["good", "bad", "neither"])
    try expectScores(given)
  }

  @Test func labelsOfOneLineTellToo() throws {
    let labels = try folder.write("line.txt", "good, bad, neither\n")
    let given = try classifier([.logits, .features], labels: labels)
    #expect(given.labels == ["good", "bad", "neither"])
    try expectScores(given)
  }

  /// As the metadata of TFLite Model Maker have it.
  @Test func theNameOfProbabilitiesTellsThem() throws {
    try expectScores(try classifier([.features, .logits], names: ["vector", "Probability"]))
    try expectScores(try classifier([.logits, .features], names: ["logits", "pooled"]))
  }

  @Test func outputsOfWhichNoneShowsScoresAreRefusedByName() throws {
    for names in [[], ["location", "score"]] {
      #expect(throws: ApusError.self) { try classifier([.features, .logits], names: names) }
    }
    let error = try #require(throws: ApusError.self) { try classifier([.logits, .features]) }
    #expect(error.kind == .unsupportedModel && error.file?.contains("texts-") == true)
    #expect(error.problem.contains("'logits' float32 [1, 3], 'features' float32 [1, 4]"), "\(error)")
  }
}
