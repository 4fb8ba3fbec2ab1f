import Formats
import Foundation
import Networks
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// What is written of a quantized model is of this model and this run.
@Suite struct ModelCardTests {
  private let scratch: TemporaryFolder
  private static let card = """
    ---
    license: apache-2.0
    language:
    - en
    - de
    model-index:
    - name: other
      results: 99.9
    tags:
    - old
    ---
    # The other model
    It is right in 99.9 % of cases.
    """

  init() throws { scratch = try TemporaryFolder() }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(scratch.path)/\(name)", encoding: .utf8)
  }

  private func source(_ model: String) throws -> ModelFolder {
    let path = scratch.path + "/in"
    try FileManager.default.copyItem(atPath: Checkout.modelFolder(model), toPath: path)
    try scratch.write("in/README.md", Self.card)
    return try ModelFolder(path)
  }

  @Test func aFolderHasItsOwnCard() throws {
    let report = try FolderQuantizer(source("bert-classifier"), .init(.int8)).write(to: scratch.path + "/out")
    let card = try text("out/README.md")
    #expect(report.card == "README.md" && report.leftOut.contains("README.md"))
    #expect(card.hasPrefix("---\nlicense: apache-2.0\nlanguage:\n- en\n- de\ntags:\n- int8\n---\n\n# out\n"))
    #expect(!card.contains("99.9") && !card.contains("old"))
    let changed = report.rows.count { $0.error != nil && $0.to == "int8" }
    #expect(changed > 0 && card.contains("\(changed) in int8"))
    #expect(card.contains("Nothing of its answers: no samples were given."))
    #expect(card.contains("$ apus classify-text \"A text.\" --model out --precision int8\n"))
  }

  @Test func theSameRunGivesTheSameCard() throws {
    let folder = try source("bert-classifier")
    var cards: [String] = []
    for _ in 0..<2 {
      var options = FolderQuantizer.Options(.f16)
      options.replaces = true
      _ = try FolderQuantizer(folder, options).write(to: scratch.path + "/out")
      cards.append(try text("out/README.md"))
    }
    #expect(cards[0] == cards[1])
    // A card of its own is read as any other.
    let again = try FolderQuantizer(ModelFolder(scratch.path + "/out"), .init(.int8))
      .write(to: scratch.path + "/again")
    let card = try text("again/README.md")
    #expect(again.card != nil && card.contains("license: apache-2.0") && !card.contains("- f16"))
  }

  @Test(arguments: [
    ("vit", "apus classify photo.jpg --model out"), ("clip", "apus zero-shot photo.jpg --model out --labels"),
    ("bert-sentence", "apus embed --text \"A text.\" --model out"),
    ("clip-vision", "apus embed --image photo.jpg --model out"),
    ("dinov2", "apus embed --image photo.jpg --model out"),
  ])
  func theCommandIsThatOfTheModel(_ model: String, _ command: String) throws {
    _ = try FolderQuantizer(source(model), .init(.f16)).write(to: scratch.path + "/out")
    #expect(try text("out/README.md").contains("$ \(command)"))
  }

  /// transformers opens such a folder without an error, and reads filters without their scales; other libraries'
  /// configurations have no `model_type`.
  @Test(
    arguments: [
      ("resnet", .int8, true), ("mobilenetv2", .int8, true), ("siglip", .int8, true),
      ("open-clip", .int8, true), ("vit-timm", .int8, true),
      ("resnet", .f16, false), ("vit", .int8, false), ("bert-classifier", .int4, false),
    ] as [(String, QuantizationTarget, Bool)])
  func otherLibrariesAreWarnedOf(_ model: String, _ target: QuantizationTarget, _ isWarned: Bool) throws {
    var options = FolderQuantizer.Options(target)
    options.groupSize = 8
    let report = try FolderQuantizer(source(model), options).write(to: scratch.path + "/out")
    let card = try text("out/README.md")
    #expect(report.hasUnstatedIntegers == isWarned)
    #expect(card.contains("takes the integers as they are") == isWarned)
  }

  /// Filters that are kept in floats leave matrices of which compressed-tensors has a form.
  @Test func keptFiltersNeedNoWarning() throws {
    var options = FolderQuantizer.Options(.int8)
    options.kept = ["*convolution*"]
    let report = try FolderQuantizer(source("resnet"), options).write(to: scratch.path + "/out")
    #expect(report.configuration == "config.json" && !report.hasUnstatedIntegers)
    #expect(report.rows.contains { $0.to == "int8" })
  }

  @Test func whatSamplesShowedIsInIt() throws {
    var options = FolderQuantizer.Options(.int8)
    options.calibration = try scratch.write(
      "texts.txt", (0..<12).map { "a text with number \($0)" }.joined(separator: "\n"))
    let report = try FolderQuantizer(source("bert-classifier"), options).write(to: scratch.path + "/out")
    let calibration = try #require(report.calibration)
    let card = try text("out/README.md")
    #expect(card.contains("the same on \(calibration.agreeing) of \(calibration.count)"))
    for trial in calibration.trials { #expect(card.contains("| \(trial.method)")) }
    #expect(
      card.contains("of texts.txt") && !card.contains(scratch.path)
        && !card.contains("Nothing of its answers"))
  }

  @Test func aFileBringsItsLabelsAndACard() throws {
    let input = try scratch.write("in/float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    try scratch.write("in/labels.txt", "a\nb\nc\nd\n")
    try scratch.write("in/meta.json", #"{"threshold_default": 0.6}"#)
    try scratch.write("out/meta.json", #"{"threshold_default": 0.7}"#)
    let report = try TFLiteQuantizer(input, .init(.f16)).write(to: scratch.path + "/out/half.tflite")
    #expect(report.copied == ["labels.txt"] && report.leftOut == ["meta.json"])
    #expect(try text("out/labels.txt") == "a\nb\nc\nd\n" && text("out/meta.json").contains("0.7"))
    let card = try text("out/half.md")
    #expect(card.contains("# half.tflite") && card.contains("`float.tflite` with its weights in f16"))
  }

  @Test func anotherFileOfTheCardsNameStays() throws {
    let input = try scratch.write("float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    try scratch.write("half.md", "Notes on halves.\n")
    var options = TFLiteQuantizer.Options(.f16)
    options.replaces = true
    #expect(try TFLiteQuantizer(input, options).write(to: scratch.path + "/half.tflite").card == nil)
    #expect(try text("half.md") == "Notes on halves.\n")
    for _ in 0..<2 {
      let report = try TFLiteQuantizer(input, options).write(to: scratch.path + "/other.tflite")
      #expect(report.card == scratch.path + "/other.md" && report.copied.isEmpty)
    }
  }
}
