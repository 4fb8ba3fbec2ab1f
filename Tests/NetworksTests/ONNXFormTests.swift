import Networks
import TensorCore
import TestSupport
import Testing

/// `.onnx` files open where `.tflite` files do.
struct ONNXFormTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    try FileBytes.read(Checkout.fixture("onnx/\(name).onnx").path)
  }

  /// Told by what is in it, or by its name where that says otherwise.
  @Test(arguments: ["network.onnx", "blob", "network.data"])
  func aFileOpensWhateverItIsCalled(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(name, bytes("network"))
    let opened = try OpenedModel(path)
    #expect(opened.form.name == "ONNX")
    #expect(opened.form.description == "Apus")
    #expect(ModelPlace.isModelFile(path))
    let input = try #require(try opened.networks[0].inputs().first)
    #expect(input.name == "in0" && input.dataType == .float32)
    #expect(input.shape.dimensions == [1, 3, 16, 16])
    #expect(try opened.networks[0].outputs().map(\.type.shape.dimensions) == [[1, 5]])
  }

  @Test func aTFLiteFileIsOneByWhateverName() throws {
    let folder = try TemporaryFolder()
    let source = Checkout.root.appendingPathComponent("Weights/rice-leaf/rice_v1_int8.tflite").path
    let path = try folder.write("leaf.onnx", FileBytes.read(source))
    #expect(try OpenedModel(path).form.name == "TFLite")
  }

  @Test func whatIsNoModelIsRefusedWithItsName() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("broken.onnx", [0x08, 0x09, 0x3A, 0x7F])
    do {
      _ = try OpenedModel(path)
      Issue.record("a broken file opened")
    } catch {
      #expect(error.kind == .malformedModel && error.file == path)
    }
  }
}
