import Apus
import Foundation
import Images
import TestSupport
import Testing

@testable import Evaluation

/// Small towers, calibrated with stripes as known pictures and noise as foreign ones, and opened again.
@Suite struct ZeroShotCalibrationTests {
  private let pictures: TemporaryFolder
  private static let labels = ["a cat", "a dog"]

  init() throws {
    pictures = try TemporaryFolder()
    try Self.write(30, below: "known/down", in: pictures, seed: 1) { (_, x, _) in x / 4 % 2 == 0 ? 220 : 40 }
    try Self.write(30, below: "known/across", in: pictures, seed: 2) { (_, _, y) in y / 4 % 2 == 0 ? 220 : 40
    }
    try Self.write(60, below: "none", in: pictures, seed: 3, Self.noise)
    try Self.write(20, below: "others", in: pictures, seed: 4, Self.noise)
  }

  private static func noise(_ random: inout SeededRandom, _ x: Int, _ y: Int) -> UInt8 {
    UInt8.random(in: 0...255, using: &random)
  }

  /// Pictures of 24 × 24 pixels, each of another tint.
  private static func write(
    _ count: Int, below name: String, in folder: TemporaryFolder, seed: UInt64,
    _ grey: (inout SeededRandom, _ x: Int, _ y: Int) -> UInt8
  ) throws {
    var random = SeededRandom(seed: seed)
    let side = 24
    for index in 0..<count {
      let tint = (0..<3).map { _ in Int.random(in: -30...30, using: &random) }
      let pixels = (0..<side * side).flatMap { place in
        let value = Int(grey(&random, place % side, place / side))
        return tint.map { UInt8(min(max(value + $0, 0), 255)) }
      }
      let image = try RGBImage(width: side, height: side, pixels: pixels)
      try folder.write(
        "\(name)/\(index).png", PNGFile.bytes(width: image.width, height: image.height, pixels: image.pixels))
    }
  }

  private func files(_ name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(pictures.path)/\(name)")
      .filter { $0.hasSuffix(".png") }.map { "\(pictures.path)/\(name)/\($0)" }
  }

  private func calibrate(_ model: String, hasExamples: Bool) throws -> CalibratedZeroShot {
    var options = CalibrationOptions(data: pictures.path + "/known")
    options.foreign = hasExamples ? pictures.path + "/none" : nil
    let calibration = try ZeroShotCalibration(model, options)
    let result = try calibration.fit()
    #expect(
      try result.write(metadata: calibration.metadataPath) == [
        model + "/meta.json", model + "/rejection.apus",
      ])
    return result
  }

  @Test(arguments: ["clip", "siglip"], [true, false])
  func foreignPicturesAreToldWhateverTheLabels(_ name: String, _ hasExamples: Bool) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    let result = try calibrate(folder.path, hasExamples: hasExamples)
    #expect(result.known.count == 60)
    #expect(result.foreign?.count == (hasExamples ? 60 : nil))
    let classifier = try ZeroShotClassifier(folder.path)
    #expect(classifier.noveltyThreshold == result.rejection.threshold)
    for path in try files("others") {
      let answer = try classifier.blocking.classify(.file(path), labels: Self.labels)
      #expect(answer.uncertainty == .foreign && answer.isUncertain, "\(path)")
      #expect(answer.predictions.allSatisfy { $0.isUncertain })
      let other = try classifier.blocking.classify(.file(path), labels: ["stripes"], topK: 1)
      #expect(other.novelty == answer.novelty)
    }
    let certain = try files("known").count {
      try !classifier.blocking.classify(.file($0), labels: Self.labels).isUncertain
    }
    #expect(certain >= 54)
  }

  /// Reading the places besides changes no logit, and leaving the rejection aside leaves all answers certain.
  @Test func aRejectionChangesNoScore() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("siglip"))
    let before = try ZeroShotClassifier(folder.path)
    _ = try calibrate(folder.path, hasExamples: true)
    let after = try ZeroShotClassifier(folder.path)
    let accepting = try ZeroShotClassifier(
      folder.path,
      options: {
        var options = ZeroShotClassifier.Options()
        options.rejectsForeign = false
        return options
      }())
    for path in try files("others") {
      let answers = try [before, after, accepting].map {
        try $0.blocking.classify(.file(path), labels: Self.labels)
      }
      #expect(Set(answers.map { $0.predictions.map(\.logit) }).count == 1)
      #expect(answers.map(\.isUncertain) == [false, true, false])
      #expect(answers[2].novelty == nil && accepting.noveltyThreshold == nil)
    }
  }

  /// An embedding does not tell what places it is of.
  @Test func anEmbeddingIsNotForeign() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("siglip"))
    _ = try calibrate(folder.path, hasExamples: true)
    let classifier = try ZeroShotClassifier(folder.path)
    let embedding = try ImageEmbedder(folder.path).blocking.embed(.file(try files("others")[0]))
    let answer = try classifier.blocking.classify(embedding: embedding, labels: Self.labels)
    #expect(answer.novelty == nil && answer.uncertainty == nil)
  }

  @Test func aRejectionOfAnotherModelIsRefused() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("siglip"))
    _ = try calibrate(folder.path, hasExamples: false)
    let other = try TemporaryFolder(copying: Checkout.file("Weights/scenes").path)
    for name in ["meta.json", "rejection.apus"] {
      try other.write(name, try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
    }
    let error = #expect(throws: ApusError.self) { try ZeroShotClassifier(other.path) }
    #expect(error?.kind == .configuration)
    #expect(error?.description.contains("rejection.apus") ?? false)
  }

  @Test func tooFewPicturesAreRefused() throws {
    let few = try TemporaryFolder()
    try Self.write(9, below: "known", in: few, seed: 5, Self.noise)
    let calibration = try ZeroShotCalibration(
      Checkout.modelFolder("siglip"), CalibrationOptions(data: few.path + "/known"))
    let error = #expect(throws: ApusError.self) { try calibration.fit() }
    #expect(error?.kind == .configuration && error?.problem == "9 known pictures")
    var options = CalibrationOptions(data: pictures.path + "/known")
    options.foreign = few.path + "/known"
    let other = try ZeroShotCalibration(Checkout.modelFolder("siglip"), options)
    let refusal = #expect(throws: ApusError.self) { try other.fit() }
    #expect(refusal?.kind == .configuration && refusal?.problem == "9 foreign pictures")
    #expect(refusal?.file == options.foreign)
  }
}
