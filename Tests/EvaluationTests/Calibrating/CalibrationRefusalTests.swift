import Apus
import Foundation
import TestSupport
import Testing

@testable import Evaluation

/// Pictures by which nothing can be told are refused before anything is written.
@Suite struct CalibrationRefusalTests {
  private let folder: TemporaryFolder
  private let model: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colours.tflite", ColourClassifier().bytes)
    try folder.write("labels.txt", ColourClassifier.colours.map(\.name).joined(separator: "\n"))
  }

  private func fit(_ data: String, none: String? = nil) throws(ApusError) -> CalibratedClassifier {
    var options = CalibrationOptions(data: data)
    options.foreign = none
    return try ClassifierCalibration(model, options).fit()
  }

  private func refusal(_ data: String, none: String? = nil) -> ApusError? {
    let error = #expect(throws: ApusError.self) { try fit(data, none: none) }
    return error
  }

  @Test func tooFewPictures() throws {
    let nine = try ColourClassifier.writePictures(1, in: folder, below: "nine")
    let error = refusal(nine)
    #expect(error?.kind == .configuration && error?.problem == "9 known pictures" && error?.file == nine)
    #expect(error?.expected == "10 at least")
    let many = try ColourClassifier.writePictures(2, in: folder)
    let foreign = refusal(many, none: nine)
    #expect(foreign?.kind == .configuration && foreign?.problem == "9 foreign pictures")
    #expect(foreign?.file == nine)
  }

  @Test func oneOfAClass() throws {
    let data = try ColourClassifier.writePictures(2, in: folder)
    // Two of each are enough, though each is judged by a fit without it.
    let result = try fit(data)
    #expect(result.known.count == 18)
    for (colour, _) in ColourClassifier.colours where colour != "red" {
      try FileManager.default.removeItem(atPath: "\(data)/\(colour)/1.png")
    }
    let single = try fit(data)
    #expect(single.known.count == 10 && single.rejection?.threshold.isFinite == true)
  }

  /// They do not show how those of a class scatter, which only a rejection asks for.
  @Test func oneOfEachClass() throws {
    let data = try ColourClassifier.writePictures(2, in: folder)
    let pictures = try CalibrationPictures(CalibrationOptions(data: data))
    let features = (0..<18).map { [Float($0)] }
    try pictures.checkScatter(of: features, Array(0..<18), foreign: [])
    try pictures.checkScatter(of: features.map { _ in [] }, Array(0..<18), foreign: [])
  }

  /// They tell what is certain without a rejection, too.
  @Test func foreignCopiesBesideOneOfEachClass() throws {
    let data = try ColourClassifier.writePictures(2, in: folder)
    var options = CalibrationOptions(data: data)
    options.foreign = data
    let pictures = try CalibrationPictures(options)
    let features = (0..<18).map { [Float($0)] }
    let copies = features.map { _ in [Float(1)] }
    let error = #expect(throws: ApusError.self) {
      try pictures.checkScatter(of: features, Array(0..<18), foreign: copies)
    }
    #expect(error?.problem == "foreign pictures that are all the same" && error?.file == data)
    try pictures.checkScatter(of: features, Array(0..<18), foreign: features)
  }

  /// Nine of ten are right, and all equally sure: with nine others, a class is as likely at a difference of log 81.
  @Test func oneOfEachClassHasATemperatureAndAThreshold() throws {
    let samples = (0..<10).map { label in
      CalibrationSample(
        logits: (0..<10).map { $0 == max(label, 1) ? 2 : 0 },
        features: [Float(label), Float(label * label % 7)], label: label)
    }
    let foreign = (0..<10).map {
      CalibrationSample(logits: (0..<10).map { _ in 0 }, features: [Float($0), 3], label: nil)
    }
    for strangers in [[], foreign] {
      let result = try CalibratedClassifier(
        samples, foreign: strangers, kinds: [], classCount: 10, CertaintyDemands())
      #expect(result.lacksPairs && result.rejection == nil && result.rightCount == 9)
      let temperature = try #require(result.temperature)
      #expect(abs(temperature - 2 / logf(81)) < 1e-3)
      #expect((result.foreign?.count ?? 0) == strangers.count)
      let metadata = try folder.write(
        "meta.json", #"{"rejection": {"file": "rejection.apus", "threshold": 3}}"#)
      let removes = try result.removesRejection(metadata: metadata)
      #expect(removes)
      let written = try result.write(metadata: metadata)
      #expect(written == [metadata])
      let text = try String(contentsOfFile: metadata, encoding: .utf8)
      #expect(
        text.contains("temperature") && text.contains("threshold_default") && !text.contains("rejection"))
    }
    let others = samples.map { sample in
      CalibrationSample(
        logits: sample.logits, features: sample.features.map { $0 * 1.01 + 0.05 }, label: sample.label)
    }
    let paired = try CalibratedClassifier(
      samples + others, foreign: [], kinds: [], classCount: 10, CertaintyDemands())
    #expect(!paired.lacksPairs && paired.rejection != nil)
  }

  @Test func oneClass() throws {
    let data = try ColourClassifier.writePictures(12, in: folder)
    let list = try folder.write(
      "list.csv", (0..<12).map { "\(data)/red/\($0).png,red\n" }.joined())
    let error = refusal(list)
    #expect(error?.kind == .configuration && error?.problem == "pictures of one class")
  }

  /// They do not scatter, and everything else would be at an infinite distance.
  @Test func copies() throws {
    let data = try ColourClassifier.writePictures(3, in: folder)
    let picture = try Data(contentsOf: URL(fileURLWithPath: data + "/red/0.png"))
    for index in 0..<10 { try folder.write("none/\(index).png", picture) }
    let foreign = refusal(data, none: folder.path + "/none")
    #expect(foreign?.kind == .configuration && foreign?.problem == "foreign pictures that are all the same")
    #expect(foreign?.file == folder.path + "/none")
    for (colour, _) in ColourClassifier.colours {
      let picture = try Data(contentsOf: URL(fileURLWithPath: "\(data)/\(colour)/0.png"))
      for index in 0..<3 { try folder.write("copies/\(colour)/\(index).png", picture) }
    }
    let error = refusal(folder.path + "/copies")
    #expect(error?.kind == .configuration && error?.problem == "pictures that are all the same")
  }

  /// Each colour by the name of the one that is farthest from it.
  @Test func exchangedLabels() throws {
    let data = try ColourClassifier.writePictures(2, in: folder)
    let opposite = [
      "black": "white", "white": "black", "blue": "yellow", "yellow": "blue", "cyan": "red", "red": "cyan",
      "green": "magenta", "magenta": "green",
    ]
    let rows = opposite.flatMap { colour, other in
      (0..<2).map { "\(data)/\(colour)/\($0).png,\(other)\n" }
    }
    let list = try folder.write("list.csv", rows.joined())
    let error = refusal(list)
    #expect(error?.kind == .configuration && error?.problem.contains("0 of 16 are right") == true)
    #expect(error?.file == list && error?.advice?.contains("swapped") == true)
  }
}
