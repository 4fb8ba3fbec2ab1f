import Formats
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// Shards become one file, or stay as they are when that would be too large.
struct ShardTests {
  private static let index = """
    {"metadata": {"total_size": 32}, "weight_map": {"a.x": "model-1-of-2.safetensors", \
    "a.y": "model-2-of-2.safetensors", "b": "model-1-of-2.safetensors"}}
    """

  private func shards(_ scratch: TemporaryFolder) throws -> SafetensorsCollection {
    let floats = SafetensorsBuilder.bytes
    try scratch.write(
      "model-1-of-2.safetensors",
      SafetensorsBuilder.file([
        ("a.x", "F32", [2, 2], floats([1, -2, 0.5, 4])), ("b", "F32", [1], floats([3])),
      ]))
    try scratch.write(
      "model-2-of-2.safetensors", SafetensorsBuilder.file([("a.y", "F32", [3], floats([1, 2, 3]))]))
    let path = try scratch.write("model.safetensors.index.json", Self.index)
    return try SafetensorsCollection(contentsOf: path)
  }

  @Test(arguments: [0, 1_000_000])
  func allTensorsAreFoundAgain(_ mergeLimit: Int) throws {
    let scratch = try TemporaryFolder()
    let weights = try shards(scratch)
    let conversion = try WeightConversion(weights, nil, .f16, threads: 1)
    let folder = try NewFolder(replacing: scratch.path + "/out")
    let names = try WeightFiles(weights, conversion, .f16, mergeLimit: mergeLimit).write(to: folder)
    try folder.commit()
    let isMerged = mergeLimit > 0
    #expect(
      names == (isMerged ? ["model.safetensors"] : ["model-1-of-2.safetensors", "model-2-of-2.safetensors"]))
    let written = try ModelFolder(scratch.path + "/out").weights()
    #expect(written.paths.count == names.count)
    #expect(written.names == ["a.x", "a.y", "b"])
    #expect(try written.tensor("a.x").dataType == .float16)
    #expect(try written.tensor("a.y").withBytes { $0.loadUnaligned(as: Float16.self) } == 1)
    #expect(written.metadata["quantization"] == "f16")
  }

  /// Checkpoints of PyTorch are written as safetensors, under the names that these have.
  @Test(arguments: [0, 1_000_000])
  func checkpointsBecomeSafetensors(_ mergeLimit: Int) throws {
    let scratch = try TemporaryFolder()
    let floats = SafetensorsBuilder.bytes
    for (name, tensor) in [("1", "a"), ("2", "b")] {
      try scratch.write(
        "pytorch_model-0000\(name)-of-00002.bin",
        CheckpointBuilder.file([(tensor, "F32", [2], floats([1, 2]))]))
    }
    let map = #"{"a": "pytorch_model-00001-of-00002.bin", "b": "pytorch_model-00002-of-00002.bin"}"#
    try scratch.write("pytorch_model.bin.index.json", #"{"weight_map": \#(map)}"#)
    let weights = try ModelFolder(scratch.path).weights()
    let conversion = try WeightConversion(weights, nil, .f16, threads: 1)
    let folder = try NewFolder(replacing: scratch.path + "/out")
    let names = try WeightFiles(weights, conversion, .f16, mergeLimit: mergeLimit).write(to: folder)
    try folder.commit()
    let shards = (1...2).map { "model-0000\($0)-of-00002.safetensors" }
    #expect(names == (mergeLimit > 0 ? ["model.safetensors"] : shards))
    #expect(try ModelFolder(scratch.path + "/out").weights().tensor("b").elements() == [1, 2] as [Float16])
  }
}
