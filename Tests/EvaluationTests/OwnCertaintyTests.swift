import Apus
import Foundation
import Statistics
import TensorCore
import TestSupport
import Testing

@testable import Evaluation

/// The threshold and the rejection that a model comes with take part in a comparison, as they do in its answers.
@Suite struct OwnCertaintyTests {
  private let folder: TemporaryFolder
  private let pictures: String
  /// Takes white for yellow and yellow for white.
  private static let colours = ColourClassifier(order: [0, 1, 2, 3, 4, 5, 6, 8, 7], steepness: 1)

  init() throws {
    folder = try TemporaryFolder()
    pictures = try ColourClassifier.writePictures(4, in: folder)
  }

  private func model(_ name: String, _ metadata: String? = nil) throws -> String {
    if let metadata { try folder.write("\(name)/meta.json", metadata) }
    try folder.write("\(name)/labels.txt", ColourClassifier.colours.map(\.name).joined(separator: "\n"))
    return try folder.write("\(name)/model.tflite", Self.colours.bytes)
  }

  private func compare(_ models: [String], data: String? = nil) throws -> ComparisonReport {
    var options = Comparison.Options(models: models, data: data ?? pictures)
    options.looksForCulprits = false
    options.resamples = 100
    return try Comparison(options).run()
  }

  private func isRight(_ sample: Evaluation.SampleReport) -> Bool {
    !sample.name.contains("white") && !sample.name.contains("yellow")
  }

  /// The threshold is the score of one of the answers, which is certain, as those above it are.
  @Test func answersBelowTheStoredThresholdAreUncertain() throws {
    let plain = try model("plain")
    let confidences = try compare([plain, plain]).models[0].confidences
    let sorted = confidences.sorted()
    let threshold = sorted[12]
    try #require(sorted[11] < threshold && threshold < sorted[13])
    let report = try compare([plain, try model("stored", #"{"threshold_default": \#(threshold)}"#)])
    let certainty = try #require(report.models[1].certainty)
    #expect(certainty.threshold == threshold && certainty.noveltyThreshold == nil)
    #expect(certainty.reasons == confidences.map { $0 < threshold ? .lowScore : nil })
    #expect(certainty.certain == Proportion(24, of: 36) && certainty.lowScore == Proportion(12, of: 36))
    #expect(certainty.foreign == Proportion(0, of: 36))
    let certain = zip(report.data.samples, confidences).filter { $1 >= threshold }.map { isRight($0.0) }
    let right = certain.count(where: \.self)
    try #require(right < 24 && right > 0)
    #expect(certainty.right == Proportion(right, of: 24))
    // Accuracy itself is of all answers.
    #expect(report.models[1].accuracy?.top1 == Proportion(28, of: 36))

    let usual = try #require(report.models[0].certainty)
    #expect(usual.threshold == ImageClassifier.Options.standardThreshold)
    let others = confidences.count { $0 >= ImageClassifier.Options.standardThreshold }
    try #require(others != 24)
    #expect(usual.certain == Proportion(others, of: 36))
    let change = try #require(report.pairs[0].certainty)
    #expect(abs(change.certain - Double(24 - others) / 36) < 1e-12)
    #expect(change.certainInterval.contains(change.certain))
  }

  @Test func withoutThresholdNothingIsSaid() throws {
    let bold = try model("bold", #"{"threshold_default": 0}"#)
    let alone = try compare([bold, bold])
    #expect(alone.models.allSatisfy { $0.certainty == nil } && alone.pairs[0].certainty == nil)
    let beside = try compare([bold, try model("strict", #"{"threshold_default": 1}"#)])
    #expect(beside.models.map(\.certainty?.certain.successes) == [36, 0])
    // Of no certain answer there is no share of right ones.
    #expect(beside.models[1].certainty?.right == nil && beside.pairs[0].certainty?.right == nil)
    #expect(beside.pairs[0].certainty?.certain == -1)
  }

  /// A picture of each colour, and some of orange and violet, which no class is.
  private func mixedList() throws -> String {
    let colours = ColourClassifier.colours.map { "pictures/\($0.name)/1.png" }
    let others = try [[255, 128, 0], [128, 0, 128]].enumerated().map { index, pixel in
      let side = ColourClassifier.side
      let pixels = (0..<side * side).flatMap { _ in pixel.map { UInt8($0) } }
      try folder.write("others/\(index).png", PNGFile.bytes(width: side, height: side, pixels: pixels))
      return "others/\(index).png"
    }
    return try folder.write("list.txt", (colours + others).map { $0 + "\n" }.joined())
  }

  /// A picture is foreign by the rejection, whatever its score.
  @Test func foreignPicturesAreThoseOfTheStoredRejection() throws {
    let careful = try model("careful")
    let fit = try ClassifierCalibration(careful, CalibrationOptions(data: pictures))
    _ = try fit.fit().write(metadata: fit.metadataPath)
    let classifier = try ImageClassifier(careful)
    let plain = try model("plain", #"{"threshold_default": 0.5}"#)
    let report = try compare([plain, careful], data: try mixedList())
    let expected = try report.data.samples.map { sample in
      guard case .picture(let path) = sample.content else { throw ApusError(.argument, "no picture") }
      return try classifier.blocking.classify(.file(path)).uncertainty
    }
    try #require(expected.count == 11 && expected.contains(.foreign) && expected.contains(nil))
    let certainty = try #require(report.models[1].certainty)
    #expect(certainty.reasons == expected)
    #expect(classifier.noveltyThreshold != nil && certainty.noveltyThreshold == classifier.noveltyThreshold)
    #expect(certainty.foreign == Proportion(expected.count { $0 == .foreign }, of: 11))
    #expect(certainty.lowScore == Proportion(expected.count { $0 == .lowScore }, of: 11))
    #expect(certainty.certain == Proportion(expected.count { $0 == nil }, of: 11))
    // Without labels nobody knows which are right.
    #expect(certainty.right == nil)
    let other = try #require(report.models[0].certainty)
    #expect(other.noveltyThreshold == nil && other.foreign == Proportion(0, of: 11))
  }

  @Test func thresholdsOfTextClassifiersCountToo() throws {
    let texts = ["good", "bad", "a film", "two stars", "it was not", "what a wonderful film"]
    let data = try folder.write("texts.tsv", texts.map { "\($0)\t1\n" }.joined())
    let plain = Checkout.modelFolder("bert-classifier")
    let confidences = try compare([plain, plain], data: data).models[0].confidences
    let threshold = confidences.sorted()[3]
    let copy = try TemporaryFolder(copying: plain)
    try copy.write("meta.json", #"{"threshold_default": \#(threshold)}"#)
    let report = try compare([plain, copy.path], data: data)
    let certainty = try #require(report.models[1].certainty)
    #expect(certainty.threshold == threshold)
    #expect(certainty.reasons == confidences.map { $0 < threshold ? .lowScore : nil })
    let classifier = try TextClassifier(copy.path)
    let answers = try texts.map { try classifier.blocking.classify($0).isUncertain }
    #expect(
      certainty.reasons.map { $0 != nil } == answers && answers.contains(true) && answers.contains(false))
  }

  /// Labels are compared by the threshold of the folder, which is none where nobody states one.
  @Test func thresholdsOfZeroShotClassifiersCountToo() throws {
    let plain = Checkout.modelFolder("clip")
    let names = ColourClassifier.colours.map(\.name)
    func compare(_ models: [String]) throws -> ComparisonReport {
      var options = Comparison.Options(models: models, data: pictures, labels: .names(names))
      options.looksForCulprits = false
      options.resamples = 100
      return try Comparison(options).run()
    }
    let first = try compare([plain, plain])
    #expect(first.models.allSatisfy { $0.certainty == nil })
    let threshold = first.models[0].confidences.sorted()[18]
    let copy = try TemporaryFolder(copying: plain)
    try copy.write("meta.json", #"{"threshold_default": \#(threshold)}"#)
    let report = try compare([plain, copy.path])
    let certainty = try #require(report.models[1].certainty)
    #expect(certainty.threshold == threshold)
    #expect(certainty.reasons == first.models[0].confidences.map { $0 < threshold ? .lowScore : nil })
    #expect(certainty.lowScore.successes > 0 && certainty.certain.successes > 0)
    #expect(report.models[0].certainty?.certain == Proportion(36, of: 36))
  }
}
