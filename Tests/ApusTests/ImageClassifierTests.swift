import Apus
import TestSupport
import Testing

/// A classifier as its user sees it, on a model whose answers can be told by hand.
@Suite struct ImageClassifierTests {
  let folder: TemporaryFolder
  let model: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: false))
  }

  private func failure(_ body: () throws -> Void) -> ApusError? {
    do {
      try body()
      return nil
    } catch {
      return error as? ApusError
    }
  }

  @Test func appliesSoftmaxToLogits() throws {
    let classifier = try ImageClassifier(model)
    // The channels are 1, −1 and −1 after x/127.5 − 1.
    let result = try classifier.blocking.classify(ColourModel.picture(255, 0, 0))
    let e = 7.389056  // e²
    #expect(result.predictions.map(\.index) == [0, 1, 2])
    #expect(abs(Double(result.predictions[0].score) - e / (e + 2)) < 1e-6)
    #expect(abs(Double(result.predictions[1].score) - 1 / (e + 2)) < 1e-6)
  }

  @Test func leavesProbabilitiesAsTheyAre() throws {
    let path = try folder.write("softmax.tflite", ColourModel.bytes(softmax: true))
    let picture = try ColourModel.picture(255, 0, 0)
    let once = try ImageClassifier(model).blocking.classify(picture).predictions[0].score
    let result = try ImageClassifier(path).blocking.classify(picture).predictions[0].score
    #expect(abs(result - once) < 1e-6)
  }

  @Test func equalScoresKeepTheOrderOfClasses() throws {
    let result = try ImageClassifier(model).blocking.classify(ColourModel.picture(9, 9, 9))
    #expect(result.predictions.map(\.index) == [0, 1, 2])
  }

  @Test func topKIsBoundedByTheClasses() throws {
    let classifier = try ImageClassifier(model)
    let picture = try ColourModel.picture(1, 2, 3)
    #expect(try classifier.blocking.classify(picture, topK: 1).predictions.map(\.index) == [2])
    #expect(try classifier.blocking.classify(picture, topK: 1000).predictions.count == 3)
    #expect(failure { _ = try classifier.blocking.classify(picture, topK: 0) }?.kind == .argument)
  }

  @Test func labelsNameClasses() throws {
    let picture = try ColourModel.picture(0, 255, 0)
    let unnamed = try ImageClassifier(model)
    #expect(!unnamed.hasLabels)
    #expect(try unnamed.blocking.classify(picture).predictions[0].label == "1")
    let lines = try folder.write("names.txt", "red\r\ngreen\r\nblue\r\n")
    let json = try folder.write("names.json", #"{"0": "red", "1": "green", "2": "blue"}"#)
    for labels in [lines, json] {
      let classifier = try ImageClassifier(model, options: .init(labels: labels))
      #expect(classifier.hasLabels)
      #expect(try classifier.blocking.classify(picture).predictions[0].label == "green")
    }
    #expect(try !ImageClassifier(model).hasLabels)
  }

  @Test func labelsBesideTheModelNameClassesWhenNoneAreGiven() throws {
    let picture = try ColourModel.picture(0, 255, 0)
    _ = try folder.write("labels.txt", "rot\ngrün\nblau\n")
    #expect(try ImageClassifier(model).blocking.classify(picture).predictions[0].label == "grün")
    let given = try folder.write("names.txt", "red\ngreen\nblue\n")
    #expect(
      try ImageClassifier(model, options: .init(labels: given)).blocking.classify(picture).predictions[0]
        .label == "green")
    _ = try folder.write("labels.txt", "of\nanother\nmodel\nthan this\n")
    #expect(try !ImageClassifier(model).hasLabels)
  }

  @Test func refusesLabelsOfAnotherModel() throws {
    let labels = try folder.write("labels.txt", "red\ngreen\n")
    let error = failure { _ = try ImageClassifier(model, options: .init(labels: labels)) }
    #expect(error?.kind == .configuration)
    #expect(error?.file == labels)
  }

  @Test func thresholdComesFromOptionsThenMetadataThenTheStandard() throws {
    let meta = try folder.write("other.json", #"{"threshold_default": 0.9}"#)
    // The score is 0.787.
    let picture = try ColourModel.picture(255, 0, 0)
    var options = ImageClassifier.Options()
    #expect(try ImageClassifier(model, options: options).threshold == 0.75)
    #expect(try !ImageClassifier(model, options: options).blocking.classify(picture).isUncertain)
    options.metadata = meta
    #expect(try ImageClassifier(model, options: options).blocking.classify(picture).isUncertain)
    options.threshold = 0.5
    #expect(try !ImageClassifier(model, options: options).blocking.classify(picture).isUncertain)
  }

  @Test func metadataBesideTheModelAreTakenWhenNoneAreGiven() throws {
    let other = try folder.write("other.json", #"{"threshold_default": 0.9}"#)
    _ = try folder.write("meta.json", #"{"threshold_default": 0.6}"#)
    var options = ImageClassifier.Options()
    #expect(try ImageClassifier(model, options: options).threshold == 0.6)
    options.metadata = other
    #expect(try ImageClassifier(model, options: options).threshold == 0.9)
    _ = try folder.write("meta.json", #"{"threshold_default": 0.6, "input_size": [224, 224]}"#)
    #expect(try ImageClassifier(model).threshold == 0.75)
  }

  @Test(arguments: [-0.1, 1.5, .nan, .infinity] as [Float])
  func refusesThresholdsOutsideOfZeroToOne(_ threshold: Float) {
    var options = ImageClassifier.Options()
    options.threshold = threshold
    #expect(failure { _ = try ImageClassifier(model, options: options) }?.kind == .argument)
  }

  @Test func refusesMetadataOfAnotherModel() throws {
    var options = ImageClassifier.Options()
    options.metadata = try folder.write("meta.json", #"{"input_size": [224, 224]}"#)
    let error = failure { _ = try ImageClassifier(model, options: options) }
    #expect(error?.kind == .configuration)
    #expect(error?.problem.contains("[224, 224]") == true)
  }

  @Test func fallsBackAndKeepsTheReason() throws {
    let broken = try folder.write("broken.tflite", "this is no model")
    var options = ImageClassifier.Options()
    options.fallbacks = [folder.path + "/missing.tflite", model]
    let classifier = try ImageClassifier(broken, options: options)
    #expect(classifier.path == model)
    #expect(classifier.refused.map(\.reason.kind) == [.malformedModel, .file])
    #expect(classifier.refused.map(\.path) == [broken, folder.path + "/missing.tflite"])
  }

  @Test func namesAllFilesWhenNoneCanBeUsed() throws {
    let broken = try folder.write("broken.tflite", "this is no model")
    var options = ImageClassifier.Options()
    options.fallbacks = [folder.path + "/missing.tflite"]
    let error = failure { _ = try ImageClassifier(broken, options: options) }
    #expect(error.map { "\($0)" }?.contains("broken.tflite") == true)
    #expect(error.map { "\($0)" }?.contains("missing.tflite") == true)
  }

  @Test func recordsThePreprocessing() throws {
    let result = try ImageClassifier(model).blocking.classify(ColourModel.picture(0, 0, 0))
    #expect(result.preprocessing == "mobilenet-v2: pillow-bilinear, stretch to 4×4, x/127.5-1, float32")
  }

  @Test func reportsPicturesThatCannotBeRead() throws {
    let classifier = try ImageClassifier(model)
    #expect(failure { _ = try classifier.blocking.classify("nowhere.jpg") }?.kind == .file)
    let text = try folder.write("text.jpg", "not a picture")
    let error = failure { _ = try classifier.blocking.classify(.file(text)) }
    #expect(error?.kind == .image)
    #expect(error?.file == text)
  }
}
