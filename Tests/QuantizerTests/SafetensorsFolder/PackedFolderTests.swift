import Formats
import Foundation
import Graph
import JSONCoding
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// Folders of packed weights give what the same folders give with their weights written out.
struct PackedFolderTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  @Test func resultsAreThoseOfTheWeightsWrittenOut() throws {
    let folder = try FolderSample("bert-int4").folder
    let floats = try UnpackedFolder(folder, at: scratch.path + "/floats").folder
    for precision in [Precision.float32, .bfloat16] {
      #expect(try FolderSample.outputs(folder, precision) == FolderSample.outputs(floats, precision))
    }
    // Rows of 8 bits are multiplied as they are stored, where floats are rounded anew.
    let found = try FolderSample.outputs(folder, .int8), expected = try FolderSample.outputs(folder)
    for (found, expected) in zip(found, expected) { #expect(FolderSample.decibels(found, expected) > 20) }
  }

  /// What is written is read as its definition says, and is nearly the model that it was made of.
  @Test(arguments: [
    "albert", "bert-classifier", "bert-sentence", "convnext", "deit-distilled", "dinov2-swiglu", "electra",
    "deberta", "modernbert-cls", "mpnet", "roberta-classifier", "vit",
  ])
  func writtenFoldersGiveTheWeightsWrittenOut(_ name: String) throws {
    let sample = try FolderSample(name)
    let report = try sample.quantized(.int4, to: scratch.path + "/int4") { $0.groupSize = 8 }
    #expect(report.rows.contains { $0.to == "int4" } && report.configuration == "config.json")
    let folder = try ModelFolder(scratch.path + "/int4")
    let floats = try UnpackedFolder(folder, at: scratch.path + "/floats").folder
    let found = try FolderSample.outputs(folder)
    #expect(found == (try FolderSample.outputs(floats)))
    for (found, expected) in zip(found, try FolderSample.outputs(sample.folder)) {
      let decibels = FolderSample.decibels(found, expected)
      #expect(decibels > 8, "\(decibels) dB")
    }
  }

  @Test func aGroupTakesHalfAByteForAWeightAndAScale() throws {
    let report = try FolderSample("bert-classifier").quantized(.int4, to: scratch.path + "/out") {
      $0.groupSize = 16
      $0.kept = ["classifier*"]
    }
    #expect(report.groupSize == 16)
    let packed = report.rows.filter { $0.to == "int4" }
    #expect(!packed.isEmpty && packed.allSatisfy { $0.error != nil && $0.shape.count == 2 })
    for row in packed {
      let count = row.shape[0] * row.shape[1]
      #expect(row.bytesAfter == count / 2 + 2 * count / 16 + 16)
    }
    #expect(report.rows.first { $0.name == "classifier.weight" }?.to == "float16")
    let bytes = try FileBytes.read(scratch.path + "/out/config.json")
    let form = try #require(try JSONValue.parse(bytes[...])["quantization_config"])
    #expect(form["format"] == .string("pack-quantized"))
    let weights = form["config_groups"]?["group_0"]?["weights"]
    #expect(weights?["num_bits"]?.int == 4 && weights?["group_size"]?.int == 16)
    #expect(weights?["strategy"] == .string("group") && weights?["symmetric"] == .bool(true))
    guard case .array(let ignored)? = form["ignore"] else { throw ApusError(.configuration, "no list") }
    #expect(ignored.contains(.string("classifier")))
  }

  @Test func theNumberOfThreadsChangesNothing() throws {
    let files = try [1, 3].map { threads in
      _ = try FolderSample("vit").quantized(.int4, to: scratch.path + "/\(threads)") {
        $0.threads = threads
        $0.groupSize = 8
      }
      return try FileBytes.read(scratch.path + "/\(threads)/model.safetensors")
    }
    #expect(files[0] == files[1])
  }

  /// Rows of 24 and 40, or of 32 and 48, are not all groups of 32: the size is chosen that divides them, one for all, as
  /// transformers reads no other.
  @Test(arguments: [("bert-sentence", 8), ("bert-classifier", 16), ("vit", 8)])
  func groupsDivideTheColumns(_ name: String, _ size: Int) throws {
    let sample = try FolderSample(name)
    let report = try sample.quantized(.int4, to: scratch.path + "/int4")
    let packed = report.rows.filter { $0.to == "int4" }
    #expect(
      packed.count > 6 && report.groupSize == size && !report.rows.contains { $0.reason.contains("columns") })
    for row in packed {
      let count = row.shape[0] * row.shape[1]
      #expect(row.bytesAfter == count / 2 + 2 * count / size + 16)
    }
    let bytes = try FileBytes.read(scratch.path + "/int4/config.json")
    let groups = try JSONValue.parse(bytes[...])["quantization_config"]?["config_groups"]
    #expect(groups?["group_0"]?["weights"]?["group_size"]?.int == size && groups?["group_1"] == nil)
    let card = try String(decoding: FileBytes.read(scratch.path + "/int4/README.md"), as: UTF8.self)
    #expect(card.contains("with a scale for every \(size) of a row"))

    // What is written is read as its definition says, and is nearly the model that it was made of.
    let folder = try ModelFolder(scratch.path + "/int4")
    let floats = try UnpackedFolder(folder, at: scratch.path + "/floats").folder
    let found = try FolderSample.outputs(folder)
    #expect(found == (try FolderSample.outputs(floats)))
    for (found, expected) in zip(found, try FolderSample.outputs(sample.folder)) {
      #expect(FolderSample.decibels(found, expected) > 8)
    }
  }

  /// What stays in floats is told with what that costs, in every form of the report.
  @Test(arguments: [QuantizationTarget.int4, .int8])
  func whatStaysInFloatsIsToldWithItsCost(_ target: QuantizationTarget) throws {
    let report = try FolderSample("bert-classifier").quantized(target, to: scratch.path + "/out") {
      $0.kept = ["*word_embeddings*"]
      if target == .int4 { $0.groupSize = 32 }
    }
    #expect(report.floats.contains { $0.reason == "48 columns are no groups of 32" } == (target == .int4))
    let kept = try #require(report.floats.first { $0.reason == "kept in floats as asked" })
    let row = try #require(report.rows.first { $0.name.contains("word_embeddings") })
    let (rows, count) = (row.shape[0], row.shape[0] * row.shape[1])
    #expect(kept.names == [row.name] && kept.bytes == 2 * count)
    #expect(kept.integerBytes == (target == .int4 ? count / 2 + count / 16 : count + 4 * rows))
    #expect(kept.moreBytes == kept.bytes - kept.integerBytes && kept.moreBytes > 0)
    #expect(report.floats.contains { $0.reason == "no matrix of a linear layer" })
    // Biases and norms are floats in every form.
    #expect(!report.floats.contains { $0.reason.contains("small") })
    let card = try String(decoding: FileBytes.read(scratch.path + "/out/README.md"), as: UTF8.self)
    #expect(
      card.contains("| in floats: kept in floats as asked | | 1 tensor of ") && card.contains("more than in"))
    #expect(try FolderSample("vit").quantized(.f16, to: scratch.path + "/half").floats.isEmpty)
  }

  /// Where compressed-tensors cannot be told of it, or nothing would be packed.
  @Test(arguments: [("open-clip", []), ("mobilenetv2-timm", []), ("bert-sentence", ["*"])])
  func whatCannotBeSaidIsRefused(_ name: String, _ kept: [String]) throws {
    let sample = try FolderSample(name)
    #expect(throws: ApusError.self) {
      try sample.quantized(.int4, to: scratch.path + "/out") { $0.kept = kept }
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/out"))
  }

  /// A refusal says what would be taken: groups of another size only where one divides columns.
  @Test(
    arguments: [
      ("resnet", nil, [], "columns, 20, are no groups of 8", "Use int8."),
      ("bert-sentence", 64, [], "columns, 24, 40, are no groups of 64", "the option groupSize (8)"),
      ("bert-classifier", 64, [], "columns, 32, 48, are no groups of 64", "the option groupSize (16)"),
      ("bert-sentence", nil, ["*"], "no matrix becomes int4", "keep fewer"),
    ] as [(String, Int?, [String], String, String)])
  func refusalsSayWhatWouldDo(
    _ name: String, _ size: Int?, _ kept: [String], _ problem: String, _ advice: String
  ) throws {
    let error = try #require(
      throws: ApusError.self
    ) {
      try FolderSample(name).quantized(.int4, to: scratch.path + "/out") {
        ($0.groupSize, $0.kept) = (size, kept)
      }
    }
    #expect(error.kind == .argument && error.problem.contains(problem), "\(error)")
    #expect(error.advice?.contains(advice) == true, "\(error)")
  }

  @Test func sizesOfGroups() throws {
    let path = Checkout.modelFolder("bert-classifier")
    for size in [-8, 0, 4, 12, 8192] {
      var options = ModelQuantizer.Options(.int4)
      options.groupSize = size
      let error = #expect(throws: ApusError.self) { try ModelQuantizer(path, options) }
      #expect(error?.kind == .argument)
    }
    var options = ModelQuantizer.Options(.int8)
    options.groupSize = 32
    #expect(throws: ApusError.self) { try ModelQuantizer(path, options) }
  }

  @Test func anotherFormIsNotMadeOfThem() throws {
    let folder = try FolderSample("bert-int4").folder
    for target in QuantizationTarget.allCases {
      let error = #expect(throws: ApusError.self) {
        try FolderQuantizer(folder, .init(target)).write(to: scratch.path + "/out")
      }
      #expect(error?.kind == .argument && error?.problem == "is packed already")
    }
  }
}
