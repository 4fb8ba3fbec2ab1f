import Apus
import Foundation
import Images
import TestSupport
import Testing

@testable import Evaluation

/// A small classifier of colours, calibrated from files and opened again.
@Suite struct ClassifierCalibrationTests {
  private let folder: TemporaryFolder
  private let model: String
  private let data: String

  init() throws {
    folder = try TemporaryFolder()
    // Far too sure of itself.
    model = try folder.write("colours.tflite", ColourClassifier(steepness: 30).bytes)
    try folder.write("labels.txt", ColourClassifier.colours.map(\.name).joined(separator: "\n"))
    data = try ColourClassifier.writePictures(12, in: folder)
  }

  /// Pictures of colours between those of the classes.
  private func writeForeignPictures(_ count: Int, below name: String, seed: UInt64) throws -> String {
    var random = SeededRandom(seed: seed)
    let colours: [[UInt8]] = [
      [255, 128, 0], [0, 128, 255], [128, 0, 128], [0, 128, 128], [200, 200, 60],
    ]
    for index in 0..<count {
      let colour = colours[index % colours.count].map { Int($0) + Int.random(in: -12...12, using: &random) }
      let pixel = colour.map { UInt8(min(max($0, 0), 255)) }
      let side = ColourClassifier.side
      let image = try RGBImage(
        width: side, height: side, pixels: (0..<side * side).flatMap { _ in pixel })
      try folder.write(
        "\(name)/\(index).png", PNGFile.bytes(width: image.width, height: image.height, pixels: image.pixels))
    }
    return "\(folder.path)/\(name)"
  }

  private func calibrate(none: String? = nil) throws -> CalibratedClassifier {
    var options = CalibrationOptions(data: data)
    options.foreign = none
    let calibration = try ClassifierCalibration(model, options)
    let result = try calibration.fit()
    #expect(calibration.metadataPath == folder.path + "/meta.json")
    #expect(
      try result.write(metadata: calibration.metadataPath) == [
        folder.path + "/meta.json", folder.path + "/rejection.apus",
      ])
    return result
  }

  private func pictures(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".png") }
      .map { "\(folder)/\($0)" }
  }

  @Test(arguments: [true, false]) func foreignPicturesAreToldWithAndWithoutExamples(_ hasExamples: Bool)
    throws
  {
    let examples = try writeForeignPictures(25, below: "none", seed: 1)
    let result = try calibrate(none: hasExamples ? examples : nil)
    #expect((result.foreign != nil) == hasExamples)
    let classifier = try ImageClassifier(model)
    #expect(classifier.noveltyThreshold == result.rejection?.threshold)
    // All are right.
    #expect(result.temperature == nil && classifier.temperature == 1)
    #expect(classifier.threshold == result.threshold)
    let others = try pictures(in: try writeForeignPictures(25, below: "others", seed: 2))
    for path in others {
      let answer = try classifier.blocking.classify(.file(path))
      #expect(answer.uncertainty == .foreign, "\(path)")
      #expect(answer.isUncertain)
      #expect(answer.predictions.allSatisfy { $0.isUncertain })
      #expect((answer.novelty ?? 0) > (classifier.noveltyThreshold ?? .infinity))
    }
    let own = try pictures(in: data)
    let certain = try own.count { try !classifier.blocking.classify(.file($0)).isUncertain }
    #expect(Double(certain) > 0.85 * Double(own.count))
  }

  /// Folders of foreign pictures are kinds; what lies in none is one, too.
  @Test func eachKindOfForeignPicturesIsCounted() throws {
    for (name, count) in [("none/near", 20), ("none/far/away", 10), ("none", 12)] {
      _ = try writeForeignPictures(count, below: name, seed: UInt64(count))
    }
    let result = try calibrate(none: folder.path + "/none")
    #expect(result.foreignKinds.map(\.kind) == ["", "far", "near"])
    #expect(result.foreignKinds.map(\.answers.count) == [12, 10, 20])
    #expect(result.foreign?.count == 42)
    #expect(result.foreignKinds.allSatisfy { $0.answers.certain * 20 <= $0.answers.count })
  }

  /// As of a folder whose classes may apply at once.
  @Test func scoresThatStandForThemselvesHaveNoTemperature() throws {
    let path = try folder.write("logistic.tflite", ColourClassifier(isLogistic: true).bytes)
    let calibration = try ClassifierCalibration(path, CalibrationOptions(data: data))
    let error = #expect(throws: ApusError.self) { try calibration.fit() }
    #expect(error?.problem.contains("stands for itself") == true)
  }

  /// What else stands in the metadata stays, and what a calibration wrote before does not count in the next.
  @Test func calibratingAgainGivesTheSameAndKeepsOtherMembers() throws {
    try folder.write("meta.json", #"{"note": [1.50, null], "input_size": [4, 4], "threshold_default": 0.1}"#)
    let first = try calibrate()
    let written = try String(contentsOfFile: folder.path + "/meta.json", encoding: .utf8)
    #expect(written.hasPrefix(#"{"note": [1.50, null], "input_size": [4, 4], "threshold_default": "#))
    let second = try calibrate()
    #expect(first.temperature == second.temperature)
    #expect(first.rejection?.model == second.rejection?.model)
    #expect(try String(contentsOfFile: folder.path + "/meta.json", encoding: .utf8) == written)
  }

  /// A temperature that others fitted goes with scores that the threshold was not chosen by.
  @Test func whereAllAreRightNoTemperatureIsLeft() throws {
    let metadata = try folder.write("meta.json", #"{"temperature": 1.50, "note": 1}"#)
    let result = try ClassifierCalibration(model, CalibrationOptions(data: data)).fit()
    #expect(result.temperature == nil && result.rightCount == result.known.count)
    #expect(result.calibrationError.before == result.calibrationError.after)
    #expect(try result.removedTemperature(metadata: metadata) == "1.50")
    _ = try result.write(metadata: metadata)
    let written = try String(contentsOfFile: metadata, encoding: .utf8)
    #expect(!written.contains("temperature") && written.hasPrefix(#"{"note": 1, "threshold_default": "#))
    #expect(try result.removedTemperature(metadata: metadata) == nil)
  }

  @Test func whereSomeAreWrongATemperatureIsFitted() throws {
    let model = try folder.write("plain.tflite", ColourClassifier().bytes)
    for (index, colour) in ["black", "blue", "cyan"].enumerated() {
      let picture = try Data(contentsOf: URL(fileURLWithPath: "\(data)/\(colour)/0.png"))
      try folder.write("pictures/white/wrong \(index).png", picture)
    }
    let metadata = try folder.write("meta.json", #"{"temperature": 1.5}"#)
    let result = try ClassifierCalibration(model, CalibrationOptions(data: data)).fit()
    let temperature = try #require(result.temperature)
    #expect(temperature > 1 && temperature < 20 && result.rightCount == result.known.count - 3)
    #expect(try result.removedTemperature(metadata: metadata) == nil)
    _ = try result.write(metadata: metadata)
    #expect(try ImageClassifier(model).temperature == temperature)
  }

  /// Whoever else reads the files that links lead to reads what was fitted.
  @Test func linksStay() throws {
    let metadata = try folder.write("shared/what.json", #"{"note": 1}"#)
    let rejection = try folder.write("shared/what.apus", "")
    let links = (folder.path + "/meta.json", folder.path + "/rejection.apus")
    try FileManager.default.createSymbolicLink(atPath: links.0, withDestinationPath: "shared/what.json")
    try FileManager.default.createSymbolicLink(atPath: links.1, withDestinationPath: rejection)
    _ = try calibrate()
    for link in [links.0, links.1] {
      let kind = try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType
      #expect(kind == .typeSymbolicLink, "\(link)")
    }
    #expect(try String(contentsOfFile: metadata, encoding: .utf8).contains("threshold_default"))
    #expect(try ImageClassifier(model).noveltyThreshold != nil)
  }

  @Test func aRejectionOfAnotherModelIsRefused() throws {
    _ = try calibrate()
    let other = try folder.write("other.tflite", ColourClassifier(order: [0, 1, 2, 3]).bytes)
    let error = #expect(throws: ApusError.self) { try ImageClassifier(other) }
    #expect(error?.kind == .configuration)
    #expect(error?.description.contains("rejection.apus") ?? false)
    var options = ImageClassifier.Options()
    options.rejectsForeign = false
    #expect(try ImageClassifier(other, options: options).noveltyThreshold == nil)
  }

  @Test func damagedRejectionsAreRefused() throws {
    _ = try calibrate()
    let path = folder.path + "/rejection.apus"
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for count in [0, 7, 8, 100, bytes.count - 1] {
      try folder.write("rejection.apus", bytes.prefix(count))
      #expect(throws: ApusError.self) { try ImageClassifier(model) }
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: ApusError.self) { try ImageClassifier(model) }
    // And can be written anew.
    _ = try calibrate()
    _ = try ImageClassifier(model)
  }

  @Test(arguments: [("absent", "is not there"), ("colours.tflite", "is a file")])
  func foreignPicturesLieInAFolder(name: String, problem: String) throws {
    var options = CalibrationOptions(data: data)
    options.foreign = "\(folder.path)/\(name)"
    let calibration = try ClassifierCalibration(model, options)
    let error = #expect(throws: ApusError.self) { try calibration.fit() }
    #expect(error?.problem == problem)
  }

  @Test func unlabelledPicturesAreRefused() throws {
    let flat = try writeForeignPictures(12, below: "flat", seed: 3)
    let calibration = try ClassifierCalibration(model, .init(data: flat))
    let error = #expect(throws: ApusError.self) { try calibration.fit() }
    #expect(error?.problem == "pictures without labels")
  }
}
