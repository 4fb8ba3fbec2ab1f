import Apus
import Formats
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

  /// What a score is does not depend on the picture: here the scores add up to 0.21 or to 0.89.
  @Test func probabilitiesOfSomeClassesAreLeftAsTheyAre() throws {
    let path = try folder.write("some.tflite", ColourModel.bytes(.softmaxButFirst))
    let whole = try ImageClassifier(try folder.write("softmax.tflite", ColourModel.bytes(softmax: true)))
    let classifier = try ImageClassifier(path)
    for (red, green) in [(255, 0), (0, 255)] as [(UInt8, UInt8)] {
      let picture = try ColourModel.picture(red, green, 0)
      let all = try whole.blocking.classify(picture).predictions
      for prediction in try classifier.blocking.classify(picture).predictions {
        let same = try #require(all.first { $0.index == prediction.index + 1 })
        #expect(abs(prediction.score - same.score) < 1e-6)
      }
    }
  }

  /// The channels are 1, 0.004 and −1: (x + 3) / 6.
  @Test func aHardSigmoidIsLeftAsItIs() throws {
    let path = try folder.write("hard.tflite", ColourModel.bytes(.hardSigmoid))
    let classifier = try ImageClassifier(path)
    let result = try classifier.blocking.classify(ColourModel.picture(255, 128, 0))
    for (prediction, score) in zip(result.predictions, [0.6666667, 0.5006536, 0.33333334] as [Float]) {
      #expect(abs(prediction.score - score) < 1e-6)
    }
  }

  @Test func oneNumberIsALogitOfItsOwn() throws {
    let classifier = try ImageClassifier(try folder.write("one.tflite", ColourModel.bytes(.oneNumber)))
    for (level, score) in [(255, 0.7310586), (0, 0.26894143)] as [(UInt8, Float)] {
      let result = try classifier.blocking.classify(ColourModel.picture(level, level, level))
      #expect(abs(result.predictions[0].score - score) < 1e-6)
    }
  }

  @Test func aTemperatureOfIndependentProbabilitiesIsThatOfTheirOdds() throws {
    let path = try folder.write("logistic.tflite", ColourModel.bytes(.logistic))
    let meta = try folder.write("other.json", #"{"temperature": 2}"#)
    let classifier = try ImageClassifier(path, options: .init(metadata: meta))
    let result = try classifier.blocking.classify(ColourModel.picture(255, 255, 0))
    #expect(result.predictions.map(\.index) == [0, 1, 2])
    // The logistic function of 1/2 and −1/2.
    for (prediction, score) in zip(result.predictions, [0.62245935, 0.62245935, 0.37754068] as [Float]) {
      #expect(abs(prediction.score - score) < 1e-6)
    }
  }

  /// By hand from MediaPipe's rule: 0.5 / (1 + e^−(2 x + 0.1)) of the first class, the default of the second, which has
  /// no sigmoid, and of the third, which is below its least score.
  @Test func metadataCalibrateScores() throws {
    typealias Node = FlatBufferNode
    let file = Node.table([0: .string("sigmoids.txt"), 2: .int8(4)])
    let units = [
      Node.table([0: .uint8(2), 1: .table([0: .int8(0), 1: .float(0.25)])]),
      .table([0: .uint8(3), 1: .table([0: .float(0.375)])]),
    ]
    let output = Node.table([4: .vector(units), 6: .vector([file])])
    let subgraph = Node.table([2: .vector([.table([:])]), 3: .vector([output])])
    let model = ColourModel.bytes(.nothing, metadata: .table([3: .vector([subgraph])]))
    func write(_ lines: String) throws -> String {
      try folder.write(
        "calibrated.tflite", model + ZipWriter.archive([("sigmoids.txt", Array(lines.utf8))]))
    }
    let classifier = try ImageClassifier(try write("0.5,2,0.1\n\n1,1,0,0.5"))
    #expect(classifier.threshold == 0.375)
    let result = try classifier.blocking.classify(ColourModel.picture(255, 0, 0))
    #expect(result.predictions.map(\.index) == [0, 1, 2])
    #expect(result.predictions.map(\.isUncertain) == [false, true, true])
    for (prediction, score) in zip(result.predictions, [0.4454516, 0.25, 0.25] as [Float]) {
      #expect(abs(prediction.score - score) < 1e-6)
    }
    let path = try write("0.5,2,0.1\n")
    #expect(failure { _ = try ImageClassifier(path) }?.problem.contains("calibration of 1 classes") == true)
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

  /// One that hides nothing says nothing.
  @Test(arguments: [(0.375, 0.375), (0, 0.75)] as [(Float, Float)])
  func theFilesOwnThresholdComesBeforeTheStandard(_ stated: Float, _ expected: Float) throws {
    let unit = FlatBufferNode.table([0: .uint8(3), 1: .table([0: .float(stated)])])
    let subgraph = FlatBufferNode.table([
      2: .vector([.table([:])]), 3: .vector([.table([4: .vector([unit])])]),
    ])
    let bytes = ColourModel.bytes(.softmax, metadata: .table([3: .vector([subgraph])]))
    #expect(try ImageClassifier(folder.write("stated.tflite", bytes)).threshold == expected)
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
