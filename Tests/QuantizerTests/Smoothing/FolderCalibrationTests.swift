import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// What samples are good for when a model folder is quantized.
struct FolderCalibrationTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// Texts of the letters that every tokenizer of the fixtures knows.
  private func texts(_ count: Int) throws -> String {
    let words = ["a cat", "the dog", "a photo of a dog", "one two", "red and blue", "cats and dogs on a mat"]
    let lines = (0..<count).map { "\(words[$0 % words.count]) \(words[$0 / 6 % words.count])\t1" }
    try scratch.write("texts.tsv", lines.joined(separator: "\n"))
    return scratch.path + "/texts.tsv"
  }

  private func report(_ folder: ModelFolder, _ samples: String) throws -> CalibrationReport {
    var options = FolderQuantizer.Options(.int8)
    options.calibration = samples
    options.replaces = true
    let report = try FolderQuantizer(folder, options).write(to: scratch.path + "/out")
    return try #require(report.calibration)
  }

  /// CLIP with one channel of every norm of its text tower 50 times as large, and the weights for it as small.
  private func withLargeChannel() throws -> ModelFolder {
    let folder = try FolderSample("clip").folder
    let weights = try folder.weights()
    var tensors: [(name: String, tensor: Tensor)] = []
    for name in weights.names {
      let tensor = try weights.tensor(name)
      var factors: TensorFactors?
      let width = tensor.shape.dimensions.last ?? 0
      var large = [Float](repeating: 1, count: width)
      if name.hasPrefix("text_model.encoder"), width > 5 {
        if name.contains("layer_norm") {
          large[5] = 50
          factors = TensorFactors(rows: large, columns: nil)
        } else if ["q_proj.weight", "k_proj.weight", "v_proj.weight", "fc1.weight"].contains(
          where: name.hasSuffix)
        {
          large[5] = 1 / 50
          factors = TensorFactors(rows: nil, columns: large)
        }
      }
      guard let factors else {
        tensors.append((name, tensor))
        continue
      }
      tensors.append((name, try NarrowedFloats.tensor(tensor, as: .float32, named: name, factors: factors)))
    }
    let path = scratch.path + "/large"
    try FileManager.default.copyItem(atPath: folder.path, toPath: path)
    try SafetensorsWriter.write(tensors, to: path + "/model.safetensors")
    return try ModelFolder(path)
  }

  @Test func smoothingHelpsWhereAChannelIsLarge() throws {
    let report = try report(withLargeChannel(), texts(40))
    #expect(report.samples.hasPrefix("40 texts"))
    let none = try #require(report.trials.first)
    #expect(none.method == "none" && report.method.hasPrefix("smoothing"))
    let gain = report.outputs.decibels - none.scores.decibels
    #expect(gain > 6, "\(gain) dB")
    #expect((report.trials.last?.cosine ?? 0) > (none.cosine ?? 1))
    let scaled = report.layers.filter { $0.factors != nil }
    #expect(scaled.contains { $0.name.contains("mlp.fc1") && $0.after.decibels > $0.before.decibels + 6 })
    #expect(!report.layers.contains { $0.name.contains("mlp.fc2") && $0.factors != nil })
  }

  /// What does less is taken unless something is better by half a decibel.
  @Test(arguments: ["clip", "open-clip", "roberta-classifier", "siglip"])
  func noMoreIsDoneThanHelps(_ name: String) throws {
    let report = try report(FolderSample(name).folder, texts(24))
    #expect(report.trials.map(\.method).starts(with: ["none", "weights by their inputs", "smoothing 0.3"]))
    let taken = try #require(report.trials.firstIndex { $0.method == report.method })
    let decibels = report.trials.map(\.scores.decibels)
    #expect(decibels.allSatisfy { $0 <= decibels[taken] + 0.5 })
    #expect(taken == 0 || decibels[taken] > decibels[0] + 0.5)
    #expect(report.outputs == report.trials[taken].scores)
    if name == "clip" { #expect(report.method == "none") }
  }

  /// The tensors of the model without samples are those of the treatment that does nothing.
  @Test func nothingChangesWhereNothingHelps() throws {
    let folder = try FolderSample("clip").folder
    #expect(try report(folder, texts(24)).method == "none")
    let plain = scratch.path + "/plain"
    _ = try FolderQuantizer(folder, .init(.int8)).write(to: plain)
    #expect(
      try FileBytes.read(plain + "/model.safetensors")
        == FileBytes.read(scratch.path + "/out/model.safetensors"))
  }

  /// As those of `--data` are, or else the same samples would not be known again.
  @Test(arguments: [
    "a cat \t1\n the dog\u{2028}here\t0\r\n", "label\tsentence\n1\ta cat\n0\tthe dog\u{2028}here\n",
    "\u{FEFF}a cat\n\n  the dog\u{2028}here",
  ])
  func textsAreReadAsSamplesAre(_ text: String) throws {
    let path = try scratch.write("texts.tsv", text)
    #expect(try CalibrationFolder(path).texts() == ["a cat", "the dog\u{2028}here"])
  }

  @Test func samplesOfNoUse() throws {
    try scratch.write("one.txt", "a text\n\n  \n")
    try scratch.write("pictures/x.png", "no picture")
    try scratch.write("pictures/y.png", "no picture")
    try scratch.write("empty/x.bin", "x")
    func error(_ model: String, _ samples: String, _ target: QuantizationTarget = .int8) throws -> ApusError?
    {
      var options = FolderQuantizer.Options(target)
      options.calibration = "\(scratch.path)/\(samples)"
      let folder = try FolderSample(model).folder
      return #expect(throws: ApusError.self) {
        try FolderQuantizer(folder, options).write(to: scratch.path + "/refused")
      }
    }
    #expect(try error("clip", "nowhere")?.problem == "is not there")
    #expect(try error("clip", "empty")?.problem == "nothing to calibrate with")
    #expect(try error("clip", "one.txt")?.problem == "one sample")
    #expect(try error("vit", "one.txt")?.problem == "nothing that the model takes")
    #expect(try error("vit", "pictures")?.file?.hasSuffix("pictures/x.png") == true)
    #expect(try error("clip", "one.txt", .f16)?.kind == .argument)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(!names.contains { $0.hasPrefix("refused") })
  }
}
