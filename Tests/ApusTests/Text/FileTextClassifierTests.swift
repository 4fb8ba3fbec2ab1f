import Foundation
import Networks
import TestSupport
import Testing

@testable import Apus

/// A TFLite file whose metadata name a tokenizer classifies texts as TensorFlow Lite does.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data"))
struct FileTextClassifierTests {
  /// What `Tools/fixtures/texts/make.py` wrote.
  private struct Expected: Decodable {
    struct Case: Decodable {
      let text: String
      let ids: [Int32]
      let scores: [Float]
    }

    let labels: [String]
    let length: Int
    let cases: [Case]
  }

  private let path = SharedData.path("tflite/text/test_model_nl_classifier_with_regex_tokenizer.tflite")
  private let expected: Expected

  init() throws {
    let data = try Data(contentsOf: Checkout.fixture("texts/regex.json"))
    expected = try JSONDecoder().decode(Expected.self, from: data)
  }

  @Test func idsAndScoresAreTheReferences() throws {
    let classifier = try TextClassifier(path)
    #expect(classifier.labels == expected.labels)
    for this in expected.cases {
      let padding = [Int32](repeating: 0, count: expected.length - this.ids.count)
      #expect(try classifier.inputs(for: this.text)[0].elements(of: Int32.self) == this.ids + padding)
      let result = try classifier.blocking.classify(this.text)
      let scores = result.predictions.sorted { $0.index < $1.index }.map(\.score)
      expectClose(scores, this.scores, tolerance: 1e-6)
      #expect(result.wasTruncated == (this.text.split(separator: " ").count > expected.length))
    }
  }

  @Test func manyTextsGiveWhatEachGivesAlone() throws {
    let classifier = try TextClassifier(path)
    let texts = expected.cases.map(\.text)
    let together = try classifier.blocking.classify(texts).map(\.predictions)
    #expect(try texts.map { try classifier.blocking.classify($0).predictions } == together)
  }

  @Test func itIsNoImageClassifier() throws {
    let error = try #require(throws: ApusError.self) { try ImageClassifier(path) }
    #expect("\(error)".contains("the model is a file for texts"), "\(error)")
  }
}
