import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// What cannot be done is refused before anything is written, with the name of what is wrong.
struct FolderRefusalTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func error(
    _ target: QuantizationTarget, _ weights: [(name: String, type: String, shape: [Int], bytes: [UInt8])]
  ) throws -> ApusError? {
    try scratch.write("in/model.safetensors", SafetensorsBuilder.file(weights))
    let folder = try ModelFolder(scratch.path + "/in")
    return #expect(throws: ApusError.self) {
      try FolderQuantizer(folder, .init(target)).write(to: scratch.path + "/out")
    }
  }

  private func expectNothingIsLeft() throws {
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["in"])
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func numbersThatAreNotFinite(_ value: Float) throws {
    for target in [QuantizationTarget.f16, .bf16] {
      let error = try error(target, [("layer.weight", "F32", [3], SafetensorsBuilder.bytes([1, value, 2]))])
      #expect(error?.kind == .malformedModel)
      #expect(error?.location == "tensor 'layer.weight'")
      #expect(error?.problem == "element 1 is \(value)")
      #expect(error?.file?.hasSuffix("in/model.safetensors") == true)
    }
    try expectNothingIsLeft()
  }

  @Test(arguments: ["clip", "distilbert-classifier", "vit"])
  func weightsThatAreNotFinite(_ name: String) throws {
    let weights = try FolderSample(name).folder.weights()
    var tensors: [(name: String, tensor: Tensor)] = []
    for name in weights.names { tensors.append((name, try weights.tensor(name))) }
    let place = try #require(
      tensors.firstIndex { $0.tensor.dataType == .float32 && $0.tensor.shape.rank == 2 })
    var values: [Float] = try tensors[place].tensor.elements()
    values[17] = .nan
    tensors[place].tensor = try Tensor(values, shape: tensors[place].tensor.shape)
    let input = scratch.path + "/in"
    try FileManager.default.copyItem(atPath: FolderSample(name).folder.path, toPath: input)
    try SafetensorsWriter.write(tensors, to: input + "/model.safetensors")
    let error = #expect(throws: ApusError.self) {
      try FolderQuantizer(ModelFolder(input), .init(.int8)).write(to: scratch.path + "/out")
    }
    #expect(error?.location == "tensor '\(tensors[place].name)'" && error?.problem == "element 17 is nan")
    try expectNothingIsLeft()
  }

  @Test func numbersTooLargeForFloat16() throws {
    let large = [("big", "F32", [2], SafetensorsBuilder.bytes([1, 65_520]))]
    let error = try error(.f16, large.map { ($0.0, $0.1, $0.2, $0.3) })
    #expect(error?.kind == .unsupportedModel && error?.advice?.contains("bf16") == true)
    try expectNothingIsLeft()
    _ = try FolderQuantizer(ModelFolder(scratch.path + "/in"), .init(.bf16)).write(to: scratch.path + "/out")
  }

  @Test func modelsThatAreInt8Already() throws {
    let folder = try FolderSample("distilbert-int8").folder
    for target in QuantizationTarget.allCases {
      let error = #expect(throws: ApusError.self) {
        try FolderQuantizer(folder, .init(target)).write(to: scratch.path + "/out")
      }
      #expect(error?.kind == .argument && error?.problem == "is int8 already")
    }
  }

  @Test func aModelOfNoKnownArchitecture() throws {
    let error = try error(.int8, [("x.weight", "F32", [1, 1], SafetensorsBuilder.bytes([1]))])
    #expect(error?.kind == .configuration)
    try expectNothingIsLeft()
  }

  @Test func placesThatAreTaken() throws {
    let sample = try FolderSample("vit")
    let input = scratch.path + "/in"
    try FileManager.default.copyItem(atPath: sample.folder.path, toPath: input)
    let folder = try ModelFolder(input)
    func problem(_ output: String, replaces: Bool) -> String? {
      var options = FolderQuantizer.Options(.f16)
      options.replaces = replaces
      let error = #expect(throws: ApusError.self) {
        try FolderQuantizer(folder, options).write(to: output)
      }
      return error?.kind == .argument ? error?.problem : nil
    }
    try FileManager.default.createSymbolicLink(atPath: scratch.path + "/link", withDestinationPath: input)
    for output in [input, input + "/", scratch.path, scratch.path + "/x/../in", scratch.path + "/link"] {
      #expect(
        problem(output, replaces: true) == "the output would replace the model that is read", "\(output)")
    }
    try scratch.write("photos/me.jpg", "x")
    try scratch.write("note", "x")
    #expect(problem(scratch.path + "/photos", replaces: true) == "is a folder with other files in it")
    #expect(problem(scratch.path + "/note", replaces: true) == "is a file")
    _ = try sample.quantized(.f16, to: scratch.path + "/out")
    #expect(problem(scratch.path + "/out", replaces: false) == "already exists")
    #expect(try FileBytes.read(scratch.path + "/photos/me.jpg") == Array("x".utf8))
  }

  @Test func aModelIsReplacedWhenAsked() throws {
    let sample = try FolderSample("vit")
    let output = scratch.path + "/out"
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    _ = try sample.quantized(.f16, to: output)
    try scratch.write("out/old.txt", "x")
    let before = try FileBytes.read(output + "/model.safetensors")
    _ = try sample.quantized(.int8, to: output + "/") { $0.replaces = true }
    #expect(try FileBytes.read(output + "/model.safetensors") != before)
    #expect(!FileManager.default.fileExists(atPath: output + "/old.txt"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["out"])
  }
}
