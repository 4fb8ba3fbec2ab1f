import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// Written folders load, and give nearly what the models gave that they were made of.
struct FolderQuantizerTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  @Test(arguments: FolderSample.floatFolders)
  func resultsStayNear(_ name: String) throws {
    let sample = try FolderSample(name)
    let expected = try FolderSample.outputs(sample.folder)
    // The logits of this one are small differences of large numbers.
    let allowance = name == "distilbert-classifier" ? 14.0 : 0
    for (target, least) in [(QuantizationTarget.f16, 52.0), (.bf16, 33), (.int8, 27)] {
      let output = scratch.path + "/" + target.rawValue
      _ = try sample.quantized(target, to: output)
      let found = try FolderSample.outputs(ModelFolder(output))
      #expect(found.count == expected.count)
      for (found, expected) in zip(found, expected) {
        let decibels = FolderSample.decibels(found, expected)
        #expect(decibels > least - allowance, "\(name) \(target): \(decibels) dB")
      }
    }
  }

  /// At int8 the products take the stored integers and scales: the same model with its weights written out as
  /// floats, which packing has to quantize again, gives the same numbers.
  @Test(arguments: ["bert-classifier", "vit", "siglip", "open-clip"])
  func storedScalesAreUsedWithoutLoss(_ name: String) throws {
    let sample = try FolderSample(name)
    let output = scratch.path + "/int8"
    let report = try sample.quantized(.int8, to: output)
    let weights = try ModelFolder(output).weights()
    var tensors: [(name: String, tensor: Tensor)] = []
    for name in weights.names where !(name.hasSuffix("_scale") && weights.contains(String(name.dropLast(6))))
    {
      let tensor = try weights.tensor(name)
      guard tensor.dataType == .int8 else {
        tensors.append((name, tensor))
        continue
      }
      let scales: [Float] = try weights.tensor(name + "_scale").elements()
      let stored: [Int8] = try tensor.elements()
      let width = stored.count / scales.count
      let floats = stored.indices.map { Float(stored[$0]) * scales[$0 / width] }
      tensors.append((name, try Tensor(floats, shape: tensor.shape)))
    }
    #expect(report.rows.contains { $0.to == "int8" })
    let floats = scratch.path + "/floats"
    try FileManager.default.copyItem(atPath: output, toPath: floats)
    for path in weights.paths {
      try SafetensorsWriter.write(tensors, to: floats + "/" + (path as NSString).lastPathComponent)
    }
    let found = try FolderSample.outputs(ModelFolder(output), .int8)
    let expected = try FolderSample.outputs(ModelFolder(floats), .int8)
    for (found, expected) in zip(found, expected) {
      let decibels = FolderSample.decibels(found, expected)
      #expect(decibels > 90, "\(decibels) dB")
    }
  }

  @Test func eachTensorGetsTheFormOfItsRole() throws {
    let report = try FolderSample("open-clip").quantized(.int8, to: scratch.path + "/out")
    func row(_ name: String) throws -> QuantizationReport.Row {
      try #require(report.rows.first { $0.name == name })
    }
    let stacked = try row("visual.transformer.resblocks.0.attn.in_proj_weight")
    #expect(stacked.role == "linear" && stacked.to == "int8" && stacked.clipping != nil)
    #expect(stacked.bytesAfter == stacked.shape.reduce(1, *) + 4 * stacked.shape[0])
    // Stored inputs first: its rows are no outputs.
    for name in ["visual.proj", "text_projection"] {
      #expect(try row(name).role == "other")
      #expect(try row(name).to == "float16")
    }
    #expect(try row("visual.conv1.weight").role == "patches")
    let table = try row("token_embedding.weight")
    #expect(table.role == "table" && table.to == "int8")
    #expect(table.bytesAfter == table.shape.reduce(1, *) + 4 * table.shape[0])
    #expect(try row("logit_scale").error == nil)
    #expect(try row("ln_final.weight").to == row("ln_final.weight").from)
    #expect(report.error.decibels > 35)

    let mobile = try FolderSample("mobilenetv2").quantized(.int8, to: scratch.path + "/mobile")
    let types = Dictionary(grouping: mobile.rows, by: \.role).mapValues { Set($0.map(\.to)) }
    #expect(types["convolution"] == ["int8"] && types["linear"] == ["int8"])
    #expect(types["depthwise"] == ["float16"])
  }

  @Test func keptWeightsStayFloats() throws {
    let tables = try FolderSample("bert-classifier").quantized(.int8, to: scratch.path + "/tables") {
      $0.kept = ["*.word_embeddings.*"]
    }
    #expect(tables.rows.filter { $0.role == "table" }.map(\.to) == ["float16"])
    let report = try FolderSample("vit").quantized(.int8, to: scratch.path + "/out") {
      $0.kept = ["classifier*", "*.intermediate.*"]
    }
    let floats = report.rows.filter { $0.role == "linear" && $0.to != "int8" }.map(\.name)
    #expect(floats.contains("classifier.weight"))
    #expect(floats.contains { $0.contains("intermediate") })
    #expect(!floats.contains { $0.contains("attention") })
    _ = try FolderSample.outputs(ModelFolder(scratch.path + "/out"))
  }

  @Test func otherFilesAreCopiedByteForByte() throws {
    let source = scratch.path + "/in", output = scratch.path + "/out"
    try FileManager.default.copyItem(atPath: FolderSample("bert-sentence").folder.path, toPath: source)
    let others = ["pytorch_model.bin", "onnx/model.onnx", ".cache/x", "README.md"]
    for name in others { try scratch.write("in/" + name, "x") }
    let report = try FolderQuantizer(ModelFolder(source), .init(.f16)).write(to: output)
    #expect(report.leftOut == ["README.md", "onnx/model.onnx", "pytorch_model.bin"])
    #expect(report.copied.contains("1_Pooling/config.json") && report.copied.contains("tokenizer.json"))
    for name in report.copied {
      #expect(try FileBytes.read("\(output)/\(name)") == FileBytes.read("\(source)/\(name)"))
    }
    #expect(report.fileBytesAfter < report.fileBytesBefore)
    let size = try FileBytes.read(output + "/model.safetensors").count
    #expect(report.fileBytesAfter == size)
    let names = try FileManager.default.contentsOfDirectory(atPath: output)
    let written = ["model.safetensors", "README.md"]
    #expect(Set(names) == Set(report.copied.map { String($0.prefix { $0 != "/" }) } + written))
  }

  /// The modules around it would be missing in the copy.
  @Test func aModelBelowItsModulesIsRefused() throws {
    let source = scratch.path + "/around"
    try scratch.write(
      "around/modules.json",
      #"[{"type": "sentence_transformers.models.Transformer", "path": "0_Transformer"}]"#)
    try FileManager.default.copyItem(
      atPath: FolderSample("bert-sentence").folder.path, toPath: source + "/0_Transformer")
    let error = try #require(throws: ApusError.self) {
      try FolderQuantizer(ModelFolder(source), .init(.f16)).write(to: scratch.path + "/out")
    }
    #expect(error.kind == .argument && "\(error)".contains("0_Transformer"))
  }

  @Test func theSameModelGivesTheSameBytes() throws {
    let sample = try FolderSample("clip")
    let files = try [1, 3].map { threads in
      let output = scratch.path + "/\(threads)"
      _ = try sample.quantized(.int8, to: output) { $0.threads = threads }
      return try FileBytes.read(output + "/model.safetensors")
    }
    #expect(files[0] == files[1])
  }
}
