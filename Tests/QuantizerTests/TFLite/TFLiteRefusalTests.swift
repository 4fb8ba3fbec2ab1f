import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Quantizer

/// What cannot be brought to int8 is named, and nothing is written.
struct TFLiteRefusalTests {
  private let scratch: TemporaryFolder
  private let output: String

  init() throws {
    scratch = try TemporaryFolder()
    output = scratch.path + "/out.tflite"
  }

  private func error(
    _ network: SmallNetwork = SmallNetwork(), _ target: QuantizationTarget = .int8,
    _ change: (inout TFLiteQuantizer.Options) -> Void = { _ in }
  ) throws -> ApusError? {
    let input = try scratch.write("float.tflite", TFLiteWriter.bytes(network.draft))
    var options = TFLiteQuantizer.Options(target)
    options.calibration = try SmallNetwork.writeSamples(3, to: scratch)
    change(&options)
    let error = #expect(throws: ApusError.self) {
      try TFLiteQuantizer(input, options).write(to: output)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(!names.contains { $0.hasPrefix("out") })
    return error
  }

  @Test func filesInOtherFormatsAreRefused() throws {
    let path = Checkout.file("Tests/Fixtures/onnx/convolution.onnx").path
    let error = #expect(throws: ApusError.self) { try TFLiteQuantizer(path, .init(.f16)) }
    #expect(error?.kind == .unsupportedModel && error?.problem == "the model is an ONNX file")
    #expect(error?.file == path && error?.expected?.hasPrefix("a .tflite file") == true)
  }

  @Test func operatorsWithoutAnInt8FormAreNamedBeforeAnyWork() throws {
    var network = SmallNetwork()
    let scores = network.draft.outputs[0]
    let roots = network.draft.add(.init("roots", .float32, [1, 4]))
    let sines = network.draft.add(.init("sines", .float32, [1, 4]))
    network.draft.steps.append(.init(.SQRT, inputs: [scores], outputs: [roots]))
    network.draft.steps.append(.init(.SIN, inputs: [roots], outputs: [sines]))
    network.draft.outputs = [sines]
    // Samples that are not there would be missed later.
    let error = try error(network) { $0.calibration = "/nowhere" }
    #expect(error?.kind == .unsupportedModel)
    #expect(error?.problem.contains("SIN (1 of them)") == true)
    #expect(error?.problem.contains("SQRT (1 of them)") == true)
  }

  @Test func weightsThatAreComputedAreNamed() throws {
    var network = SmallNetwork()
    let place = try #require(network.draft.steps.firstIndex { $0.builtin == .FULLY_CONNECTED })
    let given = network.draft.add(.init("given", .float32, [4, 12]))
    network.draft.steps[place].inputs[1] = given
    network.draft.inputs.append(given)
    #expect(try error(network)?.problem.contains("operator \(place) (FULLY_CONNECTED): its weights") == true)
  }

  @Test func modelsThatAreQuantizedAlready() throws {
    let input = try scratch.write("float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    var options = TFLiteQuantizer.Options(.int8)
    options.calibration = try SmallNetwork.writeSamples(3, to: scratch)
    let once = scratch.path + "/once.tflite"
    _ = try TFLiteQuantizer(input, options).write(to: once)
    for target in [QuantizationTarget.int8, .f16] {
      options.target = target
      let error = #expect(throws: ApusError.self) { try TFLiteQuantizer(once, options).write(to: output) }
      #expect(error?.file == once)
    }
  }

  @Test func weightsThatAreNotFinite() throws {
    for target in [QuantizationTarget.int8, .f16] {
      var network = SmallNetwork()
      let place = try #require(network.draft.tensors.firstIndex { $0.name == "w3" })
      network.draft.tensors[place].data?.replaceSubrange(8..<12, with: [0, 0, 0x80, 0x7F])
      let error = try error(network, target)
      #expect(error?.description.contains("w3") == true || error?.description.contains("linear") == true)
    }
  }

  @Test func samplesThatDoNotFit() throws {
    #expect(try error { $0.calibration = nil }?.advice?.contains("the option calibration") == true)
    #expect(try error { $0.calibration = "/nowhere" }?.kind == .file)
    let tensor = try Tensor([Float](repeating: 0, count: 9), shape: Shape([1, 3, 3, 1]))
    try scratch.write("wrong/x.npy", try Npy.bytes(tensor))
    let shape = try error { $0.calibration = scratch.path + "/wrong" }
    #expect(shape?.kind == .argument && shape?.file?.hasSuffix("wrong/x.npy") == true)
    let broken = try Tensor([Float](repeating: .nan, count: 192), shape: Shape([1, 8, 8, 3]))
    try scratch.write("nan/x.npy", try Npy.bytes(broken))
    let notFinite = try error { $0.calibration = scratch.path + "/nan" }
    #expect(notFinite?.problem.contains("not finite on sample 0") == true)
    try scratch.write("damaged/x.npy", "no array")
    #expect(try error { $0.calibration = scratch.path + "/damaged" }?.file?.hasSuffix("x.npy") == true)
    try scratch.write("pictures/x.jpg", "no picture")
    #expect(try error { $0.calibration = scratch.path + "/pictures" }?.file?.hasSuffix("x.jpg") == true)
  }

  @Test func bfloat16IsNoTypeOfTFLite() throws {
    #expect(try error(SmallNetwork(), .bf16)?.kind == .argument)
  }

  @Test func placesThatAreTaken() throws {
    let input = try scratch.write("float.tflite", TFLiteWriter.bytes(SmallNetwork().draft))
    try scratch.write("taken.tflite", "x")
    try scratch.write("notes.txt", "x")
    func problem(_ output: String, replaces: Bool = true) -> String? {
      var options = TFLiteQuantizer.Options(.f16)
      options.replaces = replaces
      return #expect(throws: ApusError.self) {
        try TFLiteQuantizer(input, options).write(to: output)
      }?.problem
    }
    #expect(problem(input)?.contains("would replace") == true)
    #expect(problem(scratch.path + "/taken.tflite", replaces: false) == "already exists")
    #expect(problem(scratch.path + "/notes.txt") == "is no TFLite file")
    #expect(problem(scratch.path) == "is no TFLite file")
  }

  /// Whatever a damaged file says, the quantizer ends in an error or a file.
  @Test func damagedFilesEndInErrors() throws {
    let bytes = try TFLiteWriter.bytes(SmallNetwork().draft)
    var random = SeededRandom()
    let samples = try SmallNetwork.writeSamples(1, to: scratch)
    for _ in 0..<60 {
      var damaged = bytes
      for _ in 0..<3 {
        damaged[Int.random(in: 0..<2500, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      let input = try scratch.write("damaged.tflite", damaged)
      var options = TFLiteQuantizer.Options(Bool.random(using: &random) ? .int8 : .f16)
      options.calibration = samples
      options.activations = ActivationType.allCases.randomElement(using: &random) ?? .int8
      options.methods = [.extremes]
      options.replaces = true
      _ = try? TFLiteQuantizer(input, options).write(to: scratch.path + "/damaged-out.tflite")
    }
  }
}
