import Formats
import Networks
import TensorCore
import TestSupport
import Testing

/// Which weights of a folder are opened where it has several.
struct ONNXFolderFormTests {
  @Test func aFolderWithNothingElseOpensAsONNX() throws {
    let folder = try ONNXFolder.make("distilbert-classifier")
    let opened = try OpenedModel(folder.path)
    #expect(opened.form.name == "ONNX" && opened.isClassifier && opened.namesClasses)
    #expect(opened.networks.map(\.name) == ["text"])
    #expect(try opened.networks[0].outputs().map(\.name) == ["logits"])
    #expect(try opened.tokenizer().encode("a film").ids.count > 2)
    #expect(opened.form.byteCount > 50_000)
  }

  @Test func safetensorsCountUnlessAVariantIsNamed() throws {
    let folder = try ONNXFolder.make("distilbert-classifier", keepsWeights: true)
    #expect(try OpenedModel(folder.path).form.name == "folder")
    let plain = try OpenedModel(folder.path, variant: "fp32").form
    let small = try OpenedModel(folder.path, variant: "int8").form
    #expect(plain.name == "ONNX" && small.byteCount < plain.byteCount)
    #expect(try OpenedModel(folder.path, variant: "quantized").form.byteCount == small.byteCount)
    let error = #expect(throws: ApusError.self) { try OpenedModel(folder.path, variant: "fp16") }
    #expect(error?.kind == .argument && error?.expected == "one of fp32, quantized")
    #expect(error?.advice == "Name one: the option variant.")
  }

  @Test func whereThereAreNoFilesOfAVariant() throws {
    let error = #expect(throws: ApusError.self) {
      try OpenedModel(Checkout.modelFolder("vit"), variant: "int8")
    }
    #expect(error?.problem == "the folder has no ONNX files")
    let file = Checkout.fixture("onnx/network.onnx").path
    #expect(throws: ApusError.self) { try OpenedModel(file, variant: "int8") }
  }

  @Test func oneOfSeveralHasToBeChosen() throws {
    let folder = try ONNXFolder.make("distilbert-classifier")
    let bytes = try FileBytes.read(folder.path + "/onnx/model_quantized.onnx")
    try folder.write("onnx/model_qint8_avx512_vnni.onnx", bytes)
    try folder.write("onnx/model_q4f16.onnx", bytes)
    FileSystem.removeFile(folder.path + "/onnx/model.onnx")
    let error = #expect(throws: ApusError.self) { try OpenedModel(folder.path) }
    #expect(error?.expected == "one of q4f16, qint8_avx512_vnni, quantized")
    for variant in ["int8", "q4f16", "qint8_avx512_vnni"] {
      #expect(try OpenedModel(folder.path, variant: variant).form.name == "ONNX")
    }
    FileSystem.removeFile(folder.path + "/onnx/model_q4f16.onnx")
    FileSystem.removeFile(folder.path + "/onnx/model_quantized.onnx")
    #expect(try OpenedModel(folder.path).form.name == "ONNX")
  }

  @Test func bothTowersOfTwoFiles() throws {
    let folder = try ONNXFolder.make("clip")
    let opened = try OpenedModel(folder.path)
    #expect(opened.networks.map(\.name) == ["image", "text"])
    #expect(try opened.network(named: "image").outputs().map(\.name) == ["image_embeds"])
    FileSystem.removeFile(folder.path + "/onnx/text_model.onnx")
    let error = #expect(throws: ApusError.self) { try OpenedModel(folder.path) }
    #expect(error?.expected == "text_model.onnx or model.onnx")
  }
}
