import Apus
import Foundation
import TestSupport
import Testing

/// What a screen, a file and a client are shown of results and errors.
@Suite struct ResultTests {
  private let folder: TemporaryFolder
  private let model: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
  }

  @Test func anErrorSaysWhatItIsToThoseWhoOnlyKnowErrors() throws {
    let error = #expect(throws: ApusError.self) { try ImageClassifier("missing.tflite") }
    let known = try #require(error)
    let shown: any Error = known
    #expect(shown.localizedDescription == known.summary)
    #expect(shown.localizedDescription.contains("missing.tflite"))
    let made =
      ApusError(.image, "no pixels", expected: "some", file: "a.png", advice: "Take another.") as NSError
    #expect(made.localizedDescription == "a.png: no pixels, expected some.")
    #expect(made.localizedFailureReason == "No pixels.")
    #expect(made.localizedRecoverySuggestion == "Take another.")
    let bare = ApusError(.argument, "no pixels", expected: "some") as NSError
    #expect(bare.localizedDescription == "No pixels, expected some.")
  }

  @Test func optionsAreNamedAsTheCallerKnowsThem() throws {
    let classifier = try ImageClassifier(model)
    let error = #expect(throws: ApusError.self) {
      try classifier.blocking.classify(ColourModel.picture(9, 9, 9), topK: 0)
    }
    #expect(error?.summary == "0 as topK, expected at least 1.")
  }

  @Test func aModelSaysWhatItTakesAndWhyItWasRefused() throws {
    let classifier = try ImageClassifier(model)
    #expect(
      "\(classifier.memory)".hasSuffix(" MB for runs") && "\(classifier.memory)".contains(" MB of weights, "))
    let broken = try folder.write("refused.tflite", "this is no model")
    var options = ImageClassifier.Options()
    options.fallbacks = [model]
    let refused = try ImageClassifier(broken, options: options).refused
    #expect(
      refused.count == 1 && "\(refused[0])" == "\(refused[0].reason)" && "\(refused[0])".hasPrefix(broken))
  }

  @Test func everyModelThatWasRefusedIsACauseOfTheError() throws {
    let broken = try folder.write("broken.tflite", "this is no model")
    let error = #expect(throws: ApusError.self) {
      try ImageClassifier(broken, options: .init(fallbacks: ["missing.tflite", "gone.tflite"]))
    }
    #expect(error?.file == "gone.tflite")
    #expect(error?.causes.map(\.file) == [broken, "missing.tflite"])
    #expect(error?.description.contains("this is no model") == false)
    #expect(error?.description.contains("missing.tflite") == true)
  }

  @Test func resultsAreStoredAndReadAgain() throws {
    func again<Result: Codable>(_ result: Result) throws -> Result {
      try JSONDecoder().decode(Result.self, from: JSONEncoder().encode(result))
    }
    let picture = try ColourModel.picture(200, 100, 50)
    let classification = try ImageClassifier(model).blocking.classify(picture)
    let read = try again(classification)
    #expect(read.predictions == classification.predictions)
    #expect(read.times == classification.times)
    let folder = Checkout.modelFolder("clip")
    let zeroShot = try ZeroShotClassifier(folder).blocking.classify(FolderFixture.picture, labels: ["a cat"])
    #expect(try again(zeroShot).predictions == zeroShot.predictions)
    let text = try TextClassifier(Checkout.modelFolder("bert-classifier")).blocking.classify("a cat")
    #expect(try again(text).predictions == text.predictions)
    #expect(try again(Embedding([1, 2], wasTruncated: true)) == Embedding([1, 2], wasTruncated: true))
  }

  @Test func eachPredictionSaysWhetherItIsUncertain() throws {
    let classifier = try ImageClassifier(model, options: .init(threshold: 0.5))
    let result = try classifier.blocking.classify(ColourModel.picture(255, 0, 0), topK: nil)
    #expect(result.predictions.map(\.isUncertain) == [false, true, true])
    #expect(!result.isUncertain)
    let grey = try classifier.blocking.classify(ColourModel.picture(9, 9, 9), topK: 1)
    #expect(grey.isUncertain && grey.predictions.map(\.isUncertain) == [true])
  }

  @Test func inputAndOutputAreDescribed() throws {
    let path = Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path
    let classifier = try ImageClassifier(path)
    #expect(
      classifier.inputType.dataType == .int8 && classifier.inputType.shape.dimensions == [1, 128, 128, 3])
    #expect(classifier.inputType.quantization?.zeroPoint == -1)
    #expect(abs((classifier.inputType.quantization?.scale ?? 0) - 0.007843138) < 1e-9)
    #expect(classifier.outputType.shape.dimensions == [1, classifier.labels.count])
  }

  @Test func whatALabelFileSaysOfAClassComesWithItsPredictions() throws {
    _ = try folder.write(
      "labels.json",
      #"""
      {"red": {"name": {"en": "Red", "th": "แดง"}, "advice": "Stop."}, "green": {},
       "blue": {"description": {"de-AT": "Wie der Himmel", "fr": "Comme le ciel"}}}
      """#)
    let classifier = try ImageClassifier(model)
    #expect(classifier.labels == ["red", "green", "blue"])
    let result = try classifier.blocking.classify(ColourModel.picture(250, 0, 0), topK: nil)
    let details = Dictionary(uniqueKeysWithValues: result.predictions.map { ($0.label, $0.details) })
    #expect(details["red"]??.name?.text(in: "th") == "แดง")
    #expect(details["red"]??.name?.text(in: "de") == "Red")
    #expect(details["red"]??.advice?.text(in: "th") == "Stop.")
    #expect(details["green"] == .some(nil))
    #expect(details["blue"]??.description?.text(in: "de-AT-1901") == "Wie der Himmel")
    #expect(details["blue"]??.description?.text(in: "th") == "Wie der Himmel")
  }

  @Test func twoClassesOfOneLabelHaveTheirOwnAdvice() throws {
    _ = try folder.write(
      "labels.json",
      #"""
      [{"label": "light", "advice": "Stop."}, {"label": "green"}, {"label": "light", "advice": "Look up."}]
      """#)
    let result = try ImageClassifier(model).blocking.classify(ColourModel.picture(250, 0, 90), topK: nil)
    #expect(result.predictions.map(\.index) == [0, 2, 1])
    #expect(result.predictions.map(\.label) == ["light", "light", "green"])
    #expect(result.predictions.map { $0.details?.advice?.text() } == ["Stop.", "Look up.", nil])
  }
}
