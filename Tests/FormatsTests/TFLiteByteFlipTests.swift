import FuzzBodies
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Any damage to a file gives a result or an error, never a crash, and a result keeps its promises.
struct TFLiteByteFlipTests {
  static let models = [ModelSamples.convolution.build(), ModelSamples.sparse.build()]

  @Test(arguments: models.indices) func everyByteOfASmallModel(_ index: Int) {
    let bytes = Self.models[index]
    var accepted = 0
    for position in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF, bytes[position] ^ 1, bytes[position] &+ 4] {
        var damaged = bytes
        damaged[position] = value
        if Fuzzing.tflite(damaged) == nil { accepted += 1 }
        if let model = try? TFLiteModel(damaged) { checkPromises(model, fileSize: damaged.count) }
      }
    }
    #expect(accepted > 0)
  }

  @Test(arguments: models.indices) func everyTruncationOfASmallModel(_ index: Int) {
    let bytes = Self.models[index]
    for count in bytes.indices { Fuzzing.tflite(Array(bytes[..<count])) }
    #expect(Fuzzing.tflite(bytes) == nil)
  }

  @Test(arguments: models.indices) func randomDamage(_ index: Int) {
    let seed = UInt64.random(in: .min ... .max)
    print("seed of the random damage: \(seed)")
    var random = SplitMix64(state: seed)
    let bytes = Self.models[index]
    for _ in 0..<5000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let model = try? TFLiteModel(damaged) { checkPromises(model, fileSize: damaged.count) }
    }
  }

  @Test func damagedFilesOfTheSmallFormats() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed of the damage to small files: \(seed)")
    var random = SplitMix64(state: seed)
    let files = [
      try fixture(FormatFixtures.npy_fortran), try fixture(FormatFixtures.archiveAlone),
      Array(#"{"0": "cat", "1": ["dog", "\u00e9"], "threshold_default": 0.5, "input_size": [1, 2]}"#.utf8),
    ]
    for file in files {
      for _ in 0..<200 {
        var damaged = file
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        Fuzzing.others(damaged)
      }
    }
  }

  private func checkPromises(_ model: TFLiteModel, fileSize: Int) {
    for graph in model.subgraphs {
      let count = graph.tensors.count
      #expect((graph.inputs + graph.outputs).allSatisfy { 0..<count ~= $0 })
      for tensor in graph.tensors {
        guard let data = tensor.data else { continue }
        #expect(data.lowerBound >= 0 && data.upperBound <= fileSize)
        guard let type = tensor.tensorType else { continue }
        let stored = tensor.sparsity?.leafCount ?? type.shape.elementCount
        #expect(stored <= type.shape.elementCount && data.count == stored * type.dataType.byteCount)
      }
      for step in graph.operators {
        #expect((step.inputs.compactMap(\.self) + step.outputs).allSatisfy { 0..<count ~= $0 })
      }
    }
  }
}

/// A generator that a printed seed repeats.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
