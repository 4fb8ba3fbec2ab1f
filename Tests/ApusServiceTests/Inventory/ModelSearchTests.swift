import Foundation
import TensorCore
import TestSupport
import Testing

@testable import ApusService

/// What lies beside models in a folder hides none of them, and each has its own name.
@Suite struct ModelSearchTests {
  private static let weights = Checkout.file("Weights").path
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func copy(_ source: String, to name: String) throws {
    let target = "\(folder.path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source, toPath: target)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/\(name)", withDestinationPath: target)
  }

  /// The paths below the folder, those that were refused with a mark.
  private func found(_ places: [String]? = nil) -> [String] {
    let inventory = ModelInventory(in: places ?? [folder.path], includesHuggingFace: false)
    return inventory.models.map { ($0.isUsable ? "" : "!") + $0.path.dropFirst(folder.path.count + 1) }
  }

  @Test func strayWeightsAreRefusedAndHideNothing() throws {
    try copy(Self.weights + "/sentiment", to: "models/mood")
    try copy(Self.weights + "/rice-leaf/rice_v1_int8.tflite", to: "leaf.tflite")
    let adapter = SafetensorsBuilder.file([("a", "F32", [1], SafetensorsBuilder.bytes([1]))])
    try folder.write("lora.safetensors", adapter)
    #expect(found() == ["!lora.safetensors", "leaf.tflite", "models/mood"])
    try folder.write("other.safetensors", "no tensors")
    try folder.write("modules.json", "")
    #expect(found() == ["!lora.safetensors", "!other.safetensors", "leaf.tflite", "models/mood"])
    try folder.write("modules.json", "[]")
    #expect(found().count == 4)
    let stray = ModelInventory(in: [folder.path], includesHuggingFace: false).models[0]
    let error = #expect(throws: ApusError.self) { try stray.properties.get() }
    #expect(error?.file == folder.path + "/lora.safetensors")
    #expect(error?.problem.contains("no config.json") == true)
  }

  @Test func anAdapterIsSaidToBeOne() throws {
    try folder.write("adapter/adapter_model.safetensors", SafetensorsBuilder.file(header: "{}"))
    try folder.write("adapter/adapter_config.json", "{}")
    try copy(Self.weights + "/sentiment", to: "adapter/merged")
    #expect(found() == ["!adapter/adapter_model.safetensors", "adapter/merged"])
    let refused = ModelInventory(in: [folder.path], includesHuggingFace: false).models[0]
    let error = #expect(throws: ApusError.self) { try refused.properties.get() }
    #expect(error?.problem.contains("adapter") == true)
  }

  @Test func foldersThatCannotBeReadAreNamed() throws {
    try copy(Self.weights + "/rice-leaf/rice_v1_int8.tflite", to: "leaf.tflite")
    try copy(Self.weights + "/rice-leaf/rice_v1_fp16.tflite", to: "locked/leaf.tflite")
    let locked = folder.path + "/locked"
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: locked) }
    let inventory = withoutRootsRights { ModelInventory(in: [folder.path], includesHuggingFace: false) }
    #expect(inventory.models.map(\.path) == [folder.path + "/leaf.tflite"])
    #expect(inventory.unreadable.map(\.file) == [locked])
    #expect(inventory.unreadable.first?.kind == .file)
  }

  /// A file by itself is a model; in the folder of one it is a form of that, as checkpoints are.
  @Test func exportsAndCheckpointsAreListed() throws {
    try copy(Checkout.fixture("onnx/network.onnx").path, to: "loose/network.onnx")
    let exported = try ONNXFolder.make("vit")
    try copy(exported.path, to: "vit")
    try copy(Checkout.fixture("onnx/network.onnx").path, to: "vit/onnx/model_int8.onnx")
    try copy(Self.weights + "/sentiment", to: "mood")
    for name in FileSystem.names(in: folder.path + "/mood") ?? [] where name.hasSuffix(".safetensors") {
      FileSystem.removeFile("\(folder.path)/mood/\(name)")
    }
    // Found, and refused for what it lacks.
    let bytes = CheckpointBuilder.file([("a", "U8", [1], [7])])
    try folder.write("mood/pytorch_model.bin", bytes)
    #expect(found() == ["loose/network.onnx", "!mood", "vit"])
  }

  @Test func filesInTheFolderOfAModelAreListedOnce() throws {
    try copy(Self.weights + "/sentiment", to: "mood")
    try copy(Self.weights + "/rice-leaf/rice_v1_int8.tflite", to: "mood/leaf.tflite")
    try copy(Self.weights + "/rice-leaf/rice_v1_fp16.tflite", to: "mood/lite/half.tflite")
    try copy(Self.weights + "/sentiment", to: "mood/checkpoint")
    let all = ["mood", "mood/leaf.tflite", "mood/lite/half.tflite"]
    #expect(found() == all)
    #expect(found([folder.path, folder.path + "/mood/leaf.tflite", folder.path + "/mood"]) == all)
    // Named itself, it is a model as any other.
    #expect(found([folder.path, folder.path + "/mood/checkpoint"]) == all + ["mood/checkpoint"])
  }

  @Test func whatDescribesWeightsMayBeAnywhereThatLibrariesPutIt() throws {
    try copy(Checkout.modelFolder("mobilenetv2-torchvision"), to: "a-torchvision")
    try copy(Checkout.modelFolder("open-clip"), to: "b-open-clip")
    try copy(Checkout.modelFolder("bert-sentence"), to: "c-sentence")
    try copy(Checkout.modelFolder("bert-sentence"), to: "d-modules/0_Transformer")
    try FileManager.default.moveItem(
      atPath: folder.path + "/d-modules/0_Transformer/1_Pooling", toPath: folder.path + "/d-modules/1_Pooling"
    )
    try FileManager.default.removeItem(atPath: folder.path + "/d-modules/0_Transformer/modules.json")
    let type = "sentence_transformers.models"
    try folder.write(
      "d-modules/modules.json",
      """
      [{"idx": 0, "name": "0", "path": "0_Transformer", "type": "\(type).Transformer"},
       {"idx": 1, "name": "1", "path": "1_Pooling", "type": "\(type).Pooling"}]
      """)
    // A configuration without weights is no model, and what lies below one may be.
    try folder.write("e-parts/config.json", "{}")
    try copy(Self.weights + "/sentiment", to: "e-parts/mood")
    let names = found().map { $0.replacingOccurrences(of: "!", with: "") }
    #expect(names == ["a-torchvision", "b-open-clip", "c-sentence", "d-modules", "e-parts/mood"])
    #expect(found().contains("a-torchvision") && found().contains("d-modules"))
  }

  /// The links sort first.
  @Test func aModelHasItsOwnNameAndNotThatOfALink() throws {
    try copy(Self.weights + "/rice-leaf/rice_v1_int8.tflite", to: "z/leaf.tflite")
    try copy(Self.weights + "/sentiment", to: "z/mood")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/a", withIntermediateDirectories: true)
    for (name, target) in [
      ("a/leaf.tflite", "../z/leaf.tflite"), ("a/link.tflite", "../z/leaf.tflite"), ("a/mood", "../z/mood"),
      ("b", "z"), ("z/again", "../z"), ("z/nowhere.tflite", "nothing"),
    ] {
      try link(name, to: target)
    }
    #expect(found() == ["z/leaf.tflite", "z/mood"])
    // Where only a link is there, its name is all that there is.
    #expect(found([folder.path + "/a"]) == ["a/leaf.tflite", "a/mood"])
  }
}
