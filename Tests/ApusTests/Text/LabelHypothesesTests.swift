import Foundation
import TestSupport
import Testing

@testable import Apus

/// Labels for texts get the scores of transformers' pipeline `zero-shot-classification`.
@Suite struct LabelHypothesesTests {
  private struct Expected: Decodable {
    struct Answer: Decodable {
      let text, template: String
      let labels, order: [String]
      let several: Bool
      let scores: [Float]
    }
    let classes: [String]
    let answers: [Answer]
  }

  /// A classifier of the fixtures whose classes are named as an NLI model's.
  private func model(_ name: String) throws -> (TextClassifier, Expected) {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    let expected = try JSONDecoder().decode(
      Expected.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/entailment.json")))
    let path = URL(fileURLWithPath: "\(folder.path)/config.json")
    var document = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
    let names = expected.classes.enumerated()
    document["id2label"] = Dictionary(uniqueKeysWithValues: names.map { ("\($0.offset)", $0.element) })
    document["label2id"] = Dictionary(uniqueKeysWithValues: names.map { ($0.element, $0.offset) })
    try JSONSerialization.data(withJSONObject: document).write(to: path)
    return (try TextClassifier(folder.path), expected)
  }

  @Test(arguments: ["bert-classifier", "roberta-classifier"])
  func scoresAreThoseOfTransformers(_ name: String) throws {
    let (classifier, expected) = try model(name)
    #expect(!expected.answers.isEmpty)
    for answer in expected.answers {
      let hypotheses = try LabelHypotheses(
        answer.labels, template: answer.template, allowsSeveral: answer.several)
      let found = try classifier.blocking.classify(answer.text, by: hypotheses)
      #expect(found.predictions.map(\.label) == answer.order)
      #expect(found.predictions.allSatisfy { answer.labels[$0.index] == $0.label })
      expectClose(found.predictions.map(\.score), answer.scores)
    }
  }

  @Test func severalTextsGetWhatEachGetsAlone() throws {
    let (classifier, _) = try model("bert-classifier")
    let hypotheses = try LabelHypotheses(["a cat", "a dog"])
    let texts = ["the quick brown fox", "a photo of a cat"]
    let together = try classifier.blocking.classify(texts, by: hypotheses)
    let alone = try texts.map { try classifier.blocking.classify($0, by: hypotheses) }
    #expect(together.map(\.predictions) == alone.map(\.predictions))
    #expect(together.allSatisfy { $0.outputs.count == 2 && !$0.wasTruncated })
  }

  @Test func aModelWithoutAClassOfEntailmentIsRefused() throws {
    let classifier = try TextClassifier(Checkout.modelFolder("bert-classifier"))
    let hypotheses = try LabelHypotheses(["a cat"])
    let error = try #require(throws: ApusError.self) { try classifier.blocking.classify("a", by: hypotheses) }
    #expect(error.kind == .unsupportedModel && "\(error)".contains("1 star"), "\(error)")
  }

  @Test func labelsAndTheirPlaceAreNeeded() throws {
    #expect(throws: ApusError.self) { try LabelHypotheses([]) }
    #expect(throws: ApusError.self) { try LabelHypotheses(["a"], template: "no place") }
    #expect(try LabelHypotheses(["{}"], template: "{} or {}").pairs(of: "t")[0].second == "{} or {}")
  }
}
