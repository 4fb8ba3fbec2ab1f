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

  /// The metadata of the file name its classes; Ultralytics' say how pictures are prepared.
  @Test func metadataNameClasses() throws {
    let folder = try TemporaryFolder()
    var others = ProtobufBytes()
    for (key, value) in [
      ("names", "{0: 'a', 1: 'b', 2: 'c', 3: 'd', 4: 'e'}"), ("author", "Ultralytics"), ("task", "classify"),
    ] {
      var entry = ProtobufBytes()
      entry.add(1, key)
      entry.add(2, value)
      others.add(14, entry)
    }
    let opened = try OpenedModel(try folder.write("network.onnx", bytes("network") + others.bytes))
    #expect(try opened.labels(classCount: 5).content?.labels == ["a", "b", "c", "d", "e"])
    let input = try #require(try opened.networks[0].inputTypes().first)
    let profile = try opened.preparation.pictures(for: input).preprocessor.profile
    #expect(profile.name == "ultralytics-classify" && profile.normalization == .zeroToOne)
    let plain = try OpenedModel(try folder.write("plain.onnx", bytes("network")))
    #expect(try plain.labels(classCount: 5).content == nil)
    #expect(try plain.preparation.pictures(for: input).preprocessor.profile.name == "mobilenet-v2")
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

  /// A network whose free axes cannot be of one element each is told of with others, and still runs with any.
  @Test func freeAxesThatCannotBeOne() throws {
    func windows(_ pads: Int?) -> [UInt8] {
      var builder = ONNXBuilder()
      builder.input("pixels", [nil, 3, nil, nil])
      builder.node(
        "MaxPool", ["pixels"], ["y"], attributes: [ONNXBuilder.attribute("kernel_shape", [pads ?? 7, 7])])
      builder.output("y", [nil, 3, nil, nil])
      return builder.build()
    }
    let folder = try TemporaryFolder()
    let network = try OpenedModel(try folder.write("windows.onnx", windows(nil))).networks[0]
    #expect(try network.inputTypes().map(\.shape.dimensions) == [[1, 3, 224, 224]])
    #expect(try network.outputs().map(\.type.shape.dimensions) == [[1, 3, 218, 218]])
    // The file says nothing of the extents.
    #expect(try network.inputs().allSatisfy { $0.extents.map(\.isFree) == [true, false, true, true] })
    let runner = network.runner(ModelOptions(InferenceOptions()))
    let given = try Tensor([Float](repeating: 1, count: 2 * 3 * 8 * 9), shape: [2, 3, 8, 9])
    #expect(try runner.runs([given]).outputs().map(\.shape.dimensions) == [[2, 3, 2, 3]])
    // What no extents make possible is refused as it is with one element.
    let wide = try OpenedModel(try folder.write("wide.onnx", windows(5000))).networks[0]
    #expect(throws: ApusError.self) { try wide.graph() }
  }
}
