import Formats
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Tensors are found by path with the shape demanded, and errors say what is there instead.
struct WeightPathTests {
  private static let file = SafetensorsBuilder.file([
    ("bert.layer.0.fc.weight", "F32", [2, 3], SafetensorsBuilder.bytes([1, 2, 3, 4, 5, 6])),
    ("bert.layer.0.fc.bias", "F32", [2], SafetensorsBuilder.bytes([7, 8])),
    ("bert.layer.1.fc.weight", "F64", [1], [0, 0, 0, 0, 0, 0, 0xF8, 0x3F]),
    ("bert.q.weight", "I8", [2, 2], [1, 2, 3, 4]),
    ("bert.q.weight_scale", "F32", [2, 1], SafetensorsBuilder.bytes([0.5, 2])),
    ("bert.r.weight", "I8", [2, 2], [1, 2, 3, 4]),
    ("bert.s.weight", "I8", [2, 2], [1, 2, 3, 4]),
    ("bert.s.weight_scale", "F32", [4], SafetensorsBuilder.bytes([1, 1, 1, 1])),
    ("bert.t.weight", "I8", [1, 2], [1, 2]),
    ("bert.t.weight_scale", "BF16", [1], [0x00, 0x3F]),
    ("bert.u.weight", "I8", [2, 2], [1, 2, 3, 4]),
    ("bert.u.weight_scale", "F32", [2, 1], SafetensorsBuilder.bytes([0.5, 2])),
    ("bert.u.weight_zero_point", "I8", [2, 1], [0, 3]),
    ("bert.v.weight", "I8", [1, 2], [1, 2]),
    ("bert.v.weight_scale", "F32", [1], SafetensorsBuilder.bytes([0.5])),
    ("bert.v.weight_zero_point", "I8", [1], [0]),
    ("bert.ids", "I64", [1], [UInt8](repeating: 0, count: 8)),
  ])

  private func root() throws -> WeightPath {
    WeightPath(SafetensorsCollection(try SafetensorsFile(Self.file, named: "model.safetensors")))
  }

  @Test func descendsByNameAndIndex() throws {
    let bert = try root().descending(ifPresent: "bert").descending(ifPresent: "absent")
    let layer = bert["layer"][0]["fc"]
    #expect(layer.prefix == "bert.layer.0.fc")
    #expect(try layer.tensor("weight", [2, 3]).elements() == [1, 2, 3, 4, 5, 6] as [Float])
    #expect(try bert["layer.0.fc"].tensor("bias", [2]).elements() == [7, 8] as [Float])
    #expect(bert.count(of: "layer") == 2)
    #expect(bert.shape(of: "q.weight") == [2, 2])
    #expect(bert.contains("ids") && !bert.contains("layer"))
  }

  @Test func doublesAreRounded() throws {
    #expect(try root().tensor("bert.layer.1.fc.weight", [1]).elements() == [1.5] as [Float])
  }

  @Test func bytesComeWithTheScaleOfEachRow() throws {
    let tensor = try root()["bert.q"].tensor("weight", [2, 2])
    #expect(tensor.dataType == .int8)
    #expect(tensor.quantization?.scales == [0.5, 2])
    #expect(tensor.quantization?.zeroPoints == [0, 0])
    #expect(tensor.quantization?.axis == 0)
    #expect(try root()["bert.t"].tensor("weight", [1, 2]).quantization?.scales == [0.5])
  }

  /// Read as symmetric, such weights would be the same whatever the zero points.
  @Test func bytesWithZeroPointsAreRefused() throws {
    let error = #expect(throws: ApusError.self) { try root()["bert.u"].tensor("weight", [2, 2]) }
    #expect(error?.kind == .unsupportedModel)
    #expect(error?.location == "tensor 'bert.u.weight_zero_point'")
    let symmetric = try root()["bert.v"].tensor("weight", [1, 2])
    #expect(symmetric.quantization?.scales == [0.5] && symmetric.quantization?.zeroPoints == [0])
  }

  @Test func aWrongShapeNamesBoth() throws {
    let path = try root()["bert.layer.0"].explaining("config.json says hidden_size 4.")
    let error = #expect(throws: ApusError.self) { try path.tensor("fc.weight", [2, 4]) }
    #expect(
      error?.description
        == "model.safetensors: tensor 'bert.layer.0.fc.weight': has shape [2, 3], expected [2, 4]. "
        + "config.json says hidden_size 4.")
  }

  @Test func aMissingTensorNamesItsNeighbours() throws {
    let error = #expect(throws: ApusError.self) {
      try root()["bert.layers.0.fc"].tensor("weight", [2, 3])
    }
    #expect(error?.kind == .malformedModel)
    #expect(error?.location == "tensor 'bert.layers.0.fc.weight'")
    #expect(error?.expected == "one of shape [2, 3]")
    #expect(error?.advice?.hasPrefix("The nearest names in the file: 'bert.layer.0.fc.weight'") == true)
  }

  @Test(arguments: [("r", [2, 2]), ("s", [2, 2])])
  func bytesWithoutFittingScalesAreRefused(_ name: String, _ shape: [Int]) throws {
    let error = #expect(throws: ApusError.self) { try root()["bert"][name].tensor("weight", shape) }
    #expect(error?.description.contains("bert.\(name).weight_scale") == true)
    #expect(error?.file == "model.safetensors")
  }

  @Test func integersAreNoWeights() throws {
    let error = #expect(throws: ApusError.self) { try root().tensor("bert.ids", [1]) }
    #expect(error?.description.contains("int64") == true)
  }

  @Test func nearestNamesOfThousands() {
    let names = (0..<5000).map { "encoder.layers.\($0).self_attn.q_proj.weight" }
    let near = NearestNames.find("encoder.layers.7.attn.q_proj.weight", among: names)
    #expect(near.first == "encoder.layers.7.self_attn.q_proj.weight")
  }
}
