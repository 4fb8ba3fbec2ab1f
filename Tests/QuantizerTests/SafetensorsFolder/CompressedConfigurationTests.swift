import Formats
import Foundation
import JSONCoding
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// What is said to compressed-tensors of folders; `Tools/checks/quantize-folders` has transformers read them.
struct CompressedConfigurationTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func bytes(_ folder: String) throws -> [UInt8] { try FileBytes.read(folder + "/config.json") }

  @Test func theFormIsAddedAndNothingElseChanged() throws {
    let sample = try FolderSample("bert-classifier"), output = scratch.path + "/out"
    let report = try sample.quantized(.int8, to: output) { $0.kept = ["classifier*"] }
    #expect(report.configuration == "config.json" && !report.copied.contains("config.json"))
    let (before, after) = (try bytes(sample.folder.path), try bytes(output))
    let same = try #require(before.lastIndex(of: UInt8(ascii: "}"))) - 1
    #expect(after.starts(with: before[..<same]))
    let form = try #require(try JSONValue.parse(after[...])["quantization_config"])
    #expect(form["format"] == .string("int-quantized"))
    let group = try #require(form["config_groups"]?["group_0"])
    #expect(group["targets"] == .array([.string("Linear"), .string("Embedding")]))
    #expect(group["weights"]?["strategy"] == .string("channel") && group["weights"]?["num_bits"]?.int == 8)
    guard case .array(let ignored)? = form["ignore"] else { throw ApusError(.configuration, "no list") }
    let names = Set(ignored.compactMap(\.string))
    #expect(names.contains("classifier") && !names.contains { $0.contains("word_embeddings") })
    #expect(names.contains { $0.hasSuffix("position_embeddings") })
    let scales = try ModelFolder(output).weights()["bert.embeddings.word_embeddings.weight_scale"]
    #expect(scales?.shape.count == 2 && scales?.shape.last == 1)
    // The folder that is said to be compressed is one that is read.
    _ = try FolderSample.outputs(ModelFolder(output))
  }

  /// A form of null is none.
  @Test func theFormTakesThePlaceOfANull() throws {
    let key: ExactText = "quantization_config", output = scratch.path + "/out", input = scratch.path + "/in"
    try FileManager.default.copyItem(atPath: Checkout.modelFolder("bert-classifier"), toPath: input)
    let text = try String(decoding: bytes(input), as: UTF8.self)
    let end = try #require(text.lastIndex(of: "}"))
    try scratch.write("in/config.json", "\(text[..<end]), \"\(key)\": null}")
    let report = try FolderQuantizer(ModelFolder(input), .init(.int8)).write(to: output)
    #expect(report.configuration == "config.json" && !report.hasUnstatedIntegers)
    let (before, after) = (try JSONValue.parse(bytes(input)[...]), try JSONValue.parse(bytes(output)[...]))
    #expect(after[key]?["format"] == .string("int-quantized"))
    guard case .object(let old) = before, case .object(let new) = after else {
      throw ApusError(.configuration, "no object")
    }
    #expect(new.filter { $0.key != key } == old.filter { $0.key != key })
    _ = try FolderSample.outputs(ModelFolder(output))
  }

  /// transformers matches what is ignored with its modules, which have other names than the file for ViT.
  @Test func whatIsKeptHasTheNamesOfTheModulesToo() throws {
    let output = scratch.path + "/out"
    _ = try FolderSample("vit").quantized(.int8, to: output) { $0.kept = ["*.layer.0.*"] }
    let text = try String(decoding: bytes(output), as: UTF8.self)
    for name in [
      "encoder.layer.0.attention.attention.query", "layers.0.attention.q_proj", "layers.0.mlp.fc2",
    ] {
      #expect(text.contains("\"vit.\(name)\""))
    }
    #expect(!text.contains("layers.1."))
  }

  @Test func whatIsKeptOfAGatedDINOv2HasTheNamesOfItsModulesToo() throws {
    let output = scratch.path + "/out"
    _ = try FolderSample("dinov2-swiglu").quantized(.int8, to: output) { $0.kept = ["*.layer.0.*"] }
    let text = try String(decoding: bytes(output), as: UTF8.self)
    for name in ["attention.q_proj", "attention.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"] {
      #expect(text.contains("\"encoder.layer.0.\(name)\""))
    }
    #expect(!text.contains("layer.1.") && !text.contains("layers."))
  }

  @Test func whatIsKeptOfASwinHasTheNamesOfItsModulesToo() throws {
    let output = scratch.path + "/out"
    _ = try FolderSample("swin").quantized(.int8, to: output) { $0.kept = ["*.layers.0.blocks.1.*"] }
    let text = try String(decoding: bytes(output), as: UTF8.self)
    for name in ["attention.self.query", "attention.q_proj", "attention.o_proj", "mlp.fc1", "mlp.fc2"] {
      #expect(text.contains("\"swin.encoder.layers.0.blocks.1.\(name)\""))
    }
    #expect(!text.contains("layers.1.") && !text.contains("mlp.fc2.dense"))
  }

  /// Filters of convolutions, stacked matrices, and the configurations of other libraries.
  @Test(arguments: ["mobilenetv2", "resnet", "siglip", "open-clip"])
  func whatItCannotBeToldIsNotSaid(_ name: String) throws {
    let sample = try FolderSample(name), output = scratch.path + "/out"
    let report = try sample.quantized(.int8, to: output)
    #expect(report.configuration == nil)
    if sample.folder.file("config.json") != nil { #expect(try bytes(output) == bytes(sample.folder.path)) }
  }

  @Test func floatsNeedNothingSaid() throws {
    let sample = try FolderSample("vit"), output = scratch.path + "/out"
    #expect(try sample.quantized(.f16, to: output).configuration == nil)
    #expect(try bytes(output) == bytes(sample.folder.path))
  }

  /// compressed-tensors writes tables of positions and types in int8 too, where the embeddings are.
  @Test func tablesOfPositionsMayBeInt8() throws {
    let sample = try FolderSample("bert-classifier")
    let input = scratch.path + "/in"
    try FileManager.default.copyItem(atPath: sample.folder.path, toPath: input)
    let weights = try sample.folder.weights()
    var tensors: [(name: String, tensor: Tensor)] = []
    for name in weights.names {
      let tensor = try weights.tensor(name)
      guard name.contains("position_embeddings.weight") || name.contains("token_type_embeddings.weight")
      else {
        tensors.append((name, tensor))
        continue
      }
      let rows = try QuantizedRows(tensor, named: name, threads: 1)
      tensors.append((name, try rows.quantize(tensor, named: name)))
      tensors.append(
        (name + "_scale", try Tensor(rows.scales, shape: Shape([rows.scales.count, 1]))))
    }
    try SafetensorsWriter.write(tensors, to: input + "/model.safetensors")
    let expected = try FolderSample.outputs(sample.folder)
    let found = try FolderSample.outputs(ModelFolder(input))
    for (found, expected) in zip(found, expected) {
      let decibels = FolderSample.decibels(found, expected)
      #expect(decibels > 30 && decibels < 100, "\(decibels) dB")
    }
  }
}
