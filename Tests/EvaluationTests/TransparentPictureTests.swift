import Apus
import Foundation
import Images
import TestSupport
import Testing

@testable import Evaluation

/// Comparisons and calibrations make of transparent pixels what classifiers make of them.
@Suite struct TransparentPictureTests {
  private static let values: [ImageOptions.Transparency] = [.ignored, .over(.white), .over(.black)]
  private let folder: TemporaryFolder
  private let model: String
  private let data: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colours.tflite", ColourClassifier().bytes)
    try folder.write("labels.txt", ColourClassifier.colours.map(\.name).joined(separator: "\n"))
    data = "\(folder.path)/pictures"
    var random = SeededRandom()
    let side = ColourClassifier.side
    for (colour, rgb) in ColourClassifier.colours {
      for index in 0..<3 {
        var pixels: [UInt8] = []
        for _ in 0..<side * side {
          for value in rgb {
            let byte = (value + 1) * 127.5 + Float.random(in: -25...25, using: &random)
            pixels.append(UInt8(min(max(byte, 0), 255)))
          }
          // Most of the colour is left, so that it is still the nearest.
          pixels.append(200)
        }
        try folder.write(
          "pictures/\(colour)/\(index).png",
          PNGFile.bytes(width: side, height: side, pixels: pixels, hasAlpha: true))
      }
    }
  }

  private func comparison(
    _ models: [String], _ data: String, _ transparency: ImageOptions.Transparency
  ) throws(ApusError) -> Comparison {
    var options = Comparison.Options(models: models, data: data)
    options.transparency = transparency
    options.resamples = 200
    return try Comparison(options)
  }

  @Test func aComparisonHasTheScoresOfAClassifier() throws {
    var found: Set<[Float]> = []
    for transparency in Self.values {
      let report = try comparison([model, model], data, transparency).run()
      #expect(report.data.transparency == transparency)
      let options = ImageClassifier.Options(image: ImageOptions(transparency: transparency))
      let classifier = try ImageClassifier(model, options: options)
      var scores: [Float] = []
      for sample in report.data.samples {
        guard case .picture(let path) = sample.content else { continue }
        let answer = try classifier.blocking.classify(.file(path))
        scores.append(try #require(answer.predictions.first).score)
      }
      #expect(scores.count == 27)
      for model in report.models {
        let worst = zip(model.confidences, scores).map { abs($0 - $1) }.max() ?? 1
        #expect(model.confidences.count == scores.count && worst < 1e-6, "\(transparency)")
        let isTold = model.preprocessing.hasSuffix(", transparency over \(transparency)")
        #expect(isTold == (transparency != .ignored))
      }
      found.insert(scores)
    }
    #expect(found.count == Self.values.count)
  }

  /// What layers are compared on, and what culprits are looked for with.
  @Test func allSamplesAreReadAlike() throws {
    for transparency in Self.values {
      let comparison = try comparison([model, model], data, transparency)
      let item = try #require(comparison.data.items.first)
      guard case .picture(let path) = item.content, case .picture(let image) = try comparison.sample(item)
      else {
        Issue.record("no picture")
        continue
      }
      let options = ImageOptions(transparency: transparency)
      let decoded = try ImageDecoder.decode(contentsOf: path, options: options).image
      #expect(image == decoded)
    }
  }

  @Test func modelsOfTextsDoNotHeedIt() throws {
    let texts = Checkout.modelFolder("bert-classifier")
    let list = try folder.write("dev.tsv", "text\tlabel\na good film\t2 stars\n")
    let error = #expect(throws: ApusError.self) { try comparison([texts, texts], list, .over(.white)) }
    #expect(error?.kind == .argument && error?.problem.contains("ImageOptions.transparency") == true)
    _ = try comparison([texts, texts], list, .ignored)
  }

  /// The pictures as they are over a colour, without alpha.
  private func blended(over colour: ImageOptions.Colour) throws -> String {
    let options = ImageOptions(transparency: .over(colour))
    for name in try FileManager.default.subpathsOfDirectory(atPath: data) where name.hasSuffix(".png") {
      let image = try ImageDecoder.decode(contentsOf: "\(data)/\(name)", options: options).image
      try folder.write(
        "opaque/\(name)", PNGFile.bytes(width: image.width, height: image.height, pixels: image.pixels))
    }
    return "\(folder.path)/opaque"
  }

  private func calibrated(
    _ data: String, _ transparency: ImageOptions.Transparency = .ignored
  ) throws -> CalibratedClassifier {
    var options = CalibrationOptions(data: data)
    options.transparency = transparency
    return try ClassifierCalibration(model, options).fit()
  }

  @Test func aCalibrationIsThatOfThePicturesThatAreSeen() throws {
    let white = try calibrated(data, .over(.white))
    let expected = try calibrated(blended(over: .white))
    let plain = try calibrated(data)
    let rejection = try #require(white.rejection)
    #expect(rejection.model == expected.rejection?.model)
    #expect(rejection.threshold == expected.rejection?.threshold)
    #expect(white.threshold == expected.threshold)
    #expect(white.calibrationError.before == expected.calibrationError.before)
    #expect(rejection.model != plain.rejection?.model)
  }
}
