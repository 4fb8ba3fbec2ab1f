import ApusQuantizer
import Evaluation
import Formats
import Foundation
import Images
import TestSupport
import Testing

@testable import Quantizer

/// The search for layers to keep, on pictures that are labelled with the float model's own answers.
struct MixtureTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// The network with classes that few steps of int8 tell apart, beside its labels.
  private func model() throws -> String {
    try scratch.write("model/labels.txt", "a\nb\nc\nd\n")
    return try scratch.write("model/float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
  }

  /// A folder for each class that the model answers, with pictures of noise.
  private func data(_ model: String, _ count: Int) throws -> String {
    let classifier = try ImageClassifier(model)
    var random = SeededRandom()
    for index in 0..<count {
      let pixels = (0..<(8 * 8 * 3)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let image = try RGBImage(width: 8, height: 8, pixels: pixels)
      let file = try #require(try JPEGEncoder.encode(image, quality: 95, maximumBytes: 1 << 20))
      let label = try #require(try classifier.blocking.classify(Picture(file)).predictions.first?.label)
      try scratch.write("data/\(label)/\(index).jpg", file)
    }
    return scratch.path + "/data"
  }

  private func options(_ data: String) throws -> ModelQuantizer.Options {
    try scratch.write("calibration/x.jpg", [])
    try FileManager.default.removeItem(atPath: scratch.path + "/calibration")
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/calibration", withIntermediateDirectories: true)
    let names = try FileSystem.paths(below: data).prefix(20)
    for (index, name) in names.enumerated() {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path + "/calibration/\(index).jpg", withDestinationPath: "\(data)/\(name)")
    }
    var options = ModelQuantizer.Options(.int8, calibration: scratch.path + "/calibration")
    options.methods = [.extremes]
    return options
  }

  @Test func layersAreKeptUntilTheLossIsSmall() throws {
    let model = try model()
    try scratch.write("model/meta.json", #"{"input_size": [9, 9]}"#)
    let notes = try ImageClassifier(model).notes
    let data = try data(model, 520)
    var options = try options(data)
    let output = scratch.path + "/out.tflite"
    let report = try MixtureSearch(model, options, LossBound(margin: 0.06, data: data)).run(beside: output)
    #expect(report.calibratedSamples == 20)
    #expect(report.choosingSamples + report.judgingSamples == 500)
    #expect(notes.count == 1 && report.notes == notes)
    #expect(report.steps.first?.kept.isEmpty == true)
    let judged = report.steps.compactMap(\.judgement)
    for (index, judgement) in judged.enumerated() {
      #expect(abs(judgement.confidence - (1 - 0.05 / Double(2 << index))) < 1e-12)
    }
    #expect(judged.dropLast().allSatisfy { $0.outcome != .within })
    let taken = try #require(report.taken)
    #expect(try #require(taken.judgement).interval.lower > -0.06)
    for step in report.steps.dropFirst() {
      #expect(!step.kept.isEmpty && step.byteCount != report.steps[0].byteCount)
    }
    // What is tried is gone, and nothing was written.
    #expect(FileSystem.names(in: scratch.path)?.contains { $0.hasPrefix("out") } == false)

    options.mixture = report
    let written = try ModelQuantizer(model, options).write(to: output)
    #expect(written.fileBytesAfter == taken.byteCount)
    // Calibration, which reads it too, says it no second time.
    #expect(written.notes == notes)
    let card = try String(decoding: FileBytes.read(#require(written.card)), as: UTF8.self)
    #expect(card.contains("It loses at most 6 points: the difference is"))
  }

  /// One point cannot be told from none by so few samples, nor by any without labels.
  @Test func samplesThatShowNothingAreRefused() throws {
    let model = try model()
    let data = try data(model, 60)
    let options = try options(data)
    let few = try #require(throws: ApusError.self) {
      try MixtureSearch(model, options, LossBound(margin: 0.01, data: data))
    }
    #expect(few.kind == .argument && few.expected == "498 or more")
    let unlabelled = try #require(throws: ApusError.self) {
      try MixtureSearch(model, options, LossBound(margin: 0.5, data: scratch.path + "/calibration"))
    }
    #expect(unlabelled.kind == .argument && unlabelled.problem == "samples without labels")
    for margin in [0, -0.1, 1, .nan] {
      #expect(throws: ApusError.self) {
        try MixtureSearch(model, options, LossBound(margin: margin, data: data))
      }
    }
    #expect(throws: ApusError.self) {
      try MixtureSearch(model, .init(.f16), LossBound(margin: 0.5, data: data))
    }
  }

  @Test func aFolderIsMeasuredByWhatItStores() throws {
    let model = Checkout.modelFolder("bert-classifier")
    let classifier = try TextClassifier(model)
    let words = ["good", "film", "bad", "the", "a", "not", "very", "plot", "is", "and"]
    var random = SeededRandom()
    var lines: [String] = []
    for _ in 0..<160 {
      let text = (0..<6).map { _ in words.randomElement(using: &random) ?? "a" }.joined(separator: " ")
      lines.append("\(text)\t\(try #require(classifier.blocking.classify(text).predictions.first?.label))")
    }
    let data = try scratch.write("texts.tsv", lines.joined(separator: "\n"))
    let options = ModelQuantizer.Options(.int8)
    let report = try MixtureSearch(model, options, LossBound(margin: 0.1, data: data))
      .run(beside: scratch.path + "/out")
    #expect(report.taken?.kept.isEmpty == true && report.steps.count == 1)
  }

  @Test func textsThatAreCalibratedOnDoNotJudge() throws {
    let rows = (0..<90).map { ("text \($0)", $0 % 2) }
    let data = try scratch.write("data.tsv", rows.map { "\($0)\t\($1)\n" }.joined())
    let calibration = try scratch.write(
      "calibration.tsv", "label\tsentence\n" + rows.prefix(30).map { "\($1)\t\($0) \n" }.joined())
    let samples = try MixtureSamples(
      DataSet(data, kind: .texts), without: CalibrationFolder(calibration), margin: 0.5)
    #expect(samples.calibrated == 30 && samples.choosing.count == 20 && samples.judging.count == 40)
  }

  @Test func patternsOfNamesAreThoseNamesAlone() {
    for name in ["a[0].weight", "what?*", #"back\slash"#, "operator 3 (CONV_2D)"] {
      #expect(LayerPatterns([LayerPatterns.pattern(name)]).contains(name))
    }
    #expect(!LayerPatterns([LayerPatterns.pattern("a*")]).contains("ab"))
  }
}
