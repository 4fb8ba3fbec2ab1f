import Foundation
import SentimentClassifierKit
import TestSupport
import Testing

@testable import Apus

/// Texts get PyTorch's probabilities, and classes their names.
@Suite struct TextClassifierTests {
  /// How the folder says that logits are read.
  enum Reading: Sendable { case softmax, sigmoid, asTheyAre }

  @Test(arguments: [
    ("bert-classifier", Reading.softmax), ("distilbert-classifier", .softmax),
    ("roberta-classifier", .sigmoid),
    ("xlm-roberta-classifier", .asTheyAre), ("mpnet-classifier", .softmax),
    ("electra-classifier", .asTheyAre), ("albert-classifier", .softmax),
    ("modernbert-classifier", .softmax), ("modernbert-reranker", .sigmoid),
    ("deberta-classifier", .softmax), ("deberta-convolution", .softmax),
    ("camembert-classifier", .softmax),
  ])
  func scoresAreTheReferences(name: String, reading: Reading) throws {
    let fixture = try FolderFixture(name)
    let classifier = try TextClassifier(fixture.path)
    let results = try classifier.blocking.classify(fixture.expected.texts)
    for (result, logits) in zip(results, try fixture.rows(fixture.expected.logits)) {
      let powers = logits.map { exp(Double($0)) }
      for prediction in result.predictions {
        let expected =
          switch reading {
          case .softmax: powers[prediction.index] / powers.reduce(0, +)
          case .sigmoid: powers[prediction.index] / (1 + powers[prediction.index])
          case .asTheyAre: Double(logits[prediction.index])
          }
        #expect(abs(Double(prediction.score) - expected) < 3e-5 * max(1, abs(expected)))
        #expect(prediction.label == classifier.labels[prediction.index])
      }
      #expect(result.predictions.map(\.score) == result.predictions.map(\.score).sorted(by: >))
    }
    #expect(results.map(\.tokenCount) == fixture.expected.ids.map(\.count))
  }

  /// As transformers has it; people are shown the number of the class.
  @Test func aNameMayBeEmpty() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-classifier"))
    let configuration = try String(contentsOfFile: folder.path + "/config.json", encoding: .utf8)
    try folder.write("config.json", configuration.replacing("\"1\": \"2 stars\"", with: "\"1\": \"\""))
    let classifier = try TextClassifier(folder.path)
    #expect(classifier.labels == ["1 star", "", "3 stars"])
    #expect(classifier.shownLabels == ["1 star", "1", "3 stars"])
    let predictions = try classifier.blocking.classify("a cat").predictions
    let unnamed = try #require(predictions.first { $0.index == 1 })
    #expect(unnamed.label.isEmpty && unnamed.named.label == "1")
    #expect(predictions.filter { $0.index != 1 }.allSatisfy { $0.named == $0 })
    // Nobody says of an empty line that it is a name.
    let lines = try folder.write("names.txt", "one\n\nthree\n")
    #expect(try TextClassifier(folder.path, options: .init(labels: lines)).labels == ["one", "1", "three"])
  }

  /// transformers answers with the number.
  @Test func aNameMayBeANumber() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-classifier"))
    let configuration = try String(contentsOfFile: folder.path + "/config.json", encoding: .utf8)
    try folder.write("config.json", configuration.replacing("\"1\": \"2 stars\"", with: "\"1\": -7"))
    let labels = try TextClassifier(folder.path).labels
    #expect(labels == ["1 star", "-7", "3 stars"])
  }

  /// SetFit's classes are told by a head beside the encoder.
  @Test(arguments: ["model_head.pkl", "config_setfit.json"])
  func aFolderOfSetFitIsTold(_ file: String) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-sentence"))
    let plain = try #require(throws: ApusError.self) { try TextClassifier(folder.path) }
    try folder.write(file, "{}")
    let error = try #require(throws: ApusError.self) { try TextClassifier(folder.path) }
    #expect(error.kind == .unsupportedModel && error.problem == plain.problem)
    let advice = error.advice ?? ""
    #expect(advice.contains("SetFit") && advice.contains(file) && advice.contains("TextEmbedder"))
    #expect(plain.advice?.contains("SetFit") == false)
  }

  /// transformers gives such types to the network, where the settings have it ask for them.
  @Test(arguments: [#""A","type_id":0"#, #""[CLS]","type_id":0"#, #""[SEP]","type_id":0"#])
  func typesOfTheTokensOfOneTextAreRefused(place: String) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-classifier"))
    try folder.write(
      "tokenizer_config.json",
      #"{"tokenizer_class": "PreTrainedTokenizerFast", "model_input_names": ["input_ids", "token_type_ids"]}"#
    )
    #expect(try !TextClassifier(folder.path).blocking.classify("a cat").predictions.isEmpty)
    let path = folder.path + "/tokenizer.json"
    let tokenizer = try String(contentsOfFile: path, encoding: .utf8)
    // The template of one text is the first.
    try folder.write(
      "tokenizer.json",
      tokenizer.replacing(place, with: place.dropLast() + "1", maxReplacements: 1))
    let error = #expect(throws: ApusError.self) { try TextClassifier(folder.path) }
    #expect(error?.kind == .unsupportedModel && error?.location == "post_processor")
  }

  @Test(arguments: ["", "  \n\t"])
  func anEmptyTextIsAnError(text: String) throws {
    let classifier = try TextClassifier(FolderFixture("bert-classifier").path)
    #expect { try classifier.blocking.classify(text) } throws: { ($0 as? ApusError)?.kind == .argument }
    #expect { try classifier.blocking.classify(["fine", text]) } throws: {
      ($0 as? ApusError)?.location == "text 1"
    }
  }

  @Test func aCancelledTaskGetsTheError() async throws {
    let classifier = try TextClassifier(FolderFixture("bert-classifier").path)
    let task = Task { () -> ApusError.Kind? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(ApusError) {
        _ = try await classifier.classify(["a text"])
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(await task.value == .cancelled)
  }

  @Test func sentimentNeedsClassesOfSentiment() throws {
    let path = try FolderFixture("bert-classifier").path
    #expect { try SentimentClassifier(path) } throws: {
      ($0 as? ApusError)?.kind == .unsupportedModel
    }
  }
}
