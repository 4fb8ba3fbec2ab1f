import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Checkpoints that PyTorch wrote (`Tools/fixtures/checkpoints/make.py`) have its tensors, byte for byte; whatever is not a
/// tensor's is refused by its name.
struct CheckpointFileTests {
  private static let folder = Checkout.fixture("checkpoints").path

  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".safetensors") }.map { String($0.dropLast(".safetensors".count)) }
      .sorted()
  }()

  @Test func thereAreFixtures() { #expect(Self.names.count >= 13) }

  @Test(arguments: names)
  func tensorsAreThoseOfPyTorch(_ name: String) throws {
    let expected = try SafetensorsFile(contentsOf: "\(Self.folder)/\(name).safetensors")
    let path = "\(Self.folder)/\(name).pt"
    let inMemory = try CheckpointFile(FileBytes.read(path), named: path)
    for file in [try CheckpointFile(contentsOf: path), inMemory] {
      #expect(Set(file.entries.map(\.name)) == Set(expected.entries.map(\.name)))
      for entry in expected.entries {
        let found = try #require(file[entry.name])
        #expect(found.type == entry.type && found.shape == entry.shape, "\(entry.name)")
        #expect(found.bytes.count == entry.bytes.count)
        guard entry.type.dataType != nil else {
          #expect(throws: ApusError.self) { try file.tensor(entry.name) }
          continue
        }
        let (tensor, other) = try (file.tensor(entry.name), expected.tensor(entry.name))
        #expect(tensor.type == other.type)
        #expect(tensor.withBytes { Array($0) } == other.withBytes { Array($0) }, "\(entry.name)")
      }
      try file.checkUndamaged()
    }
    #expect(CheckpointFile.isCheckpoint(path))
  }

  private struct Refused: Decodable {
    let refused: [String: String]
  }

  @Test func whatIsNoTensorIsRefusedByItsName() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/refused.json"))
    let cases = try JSONDecoder().decode(Refused.self, from: data).refused
    #expect(cases.count >= 11)
    for (name, named) in cases {
      let error = #expect(throws: ApusError.self) {
        try CheckpointFile(contentsOf: "\(Self.folder)/\(name).pt")
      }
      #expect(error?.problem.contains(named) == true, "\(name): \(error?.problem ?? "")")
      #expect(error?.file == "\(Self.folder)/\(name).pt")
    }
  }

  /// Weights of gigabytes are not copied: dense tensors are the bytes of the file.
  @Test func denseTensorsAreMapped() throws {
    let file = try CheckpointFile(contentsOf: "\(Self.folder)/types.pt")
    for name in ["float32", "bfloat16", "int64", "uint8"] {
      #expect(try file.tensor(name).mappedFile != nil)
    }
    #expect(try CheckpointFile(contentsOf: "\(Self.folder)/views.pt").tensor("transposed").mappedFile == nil)
  }

  @Test func sharedTensorsAreOneStorage() throws {
    let file = try CheckpointFile(contentsOf: "\(Self.folder)/network.pt")
    #expect(file["head.weight"]?.bytes == file["embed.weight"]?.bytes)
  }

  @Test func ofTwoTensorsUnderOneNameTheLastCounts() throws {
    let bytes = CheckpointBuilder.file([("a", "U8", [1], [7]), ("a", "U8", [1], [8])])
    let file = try CheckpointFile(bytes, named: "x.pt")
    #expect(file.entries.map(\.name) == ["a"])
    #expect(try file.tensor("a").elements() == [8] as [UInt8])
  }

  @Test func shardsOfAnIndex() throws {
    let folder = try TemporaryFolder()
    try folder.write("pytorch_model-1.bin", CheckpointBuilder.file([("a", "U8", [1], [7])]))
    try folder.write("pytorch_model-2.bin", CheckpointBuilder.file([("b", "I16", [2], [1, 0, 2, 0])]))
    let index = #"{"weight_map": {"a": "pytorch_model-1.bin", "b": "pytorch_model-2.bin"}}"#
    try folder.write("pytorch_model.bin.index.json", index)
    let weights = try ModelFolder(folder.path).weights()
    #expect(weights.names == ["a", "b"] && weights.byteCount == 5)
    #expect(try weights.tensor("b").elements() == [1, 2] as [Int16])
    try folder.write("pytorch_model.bin.index.json", #"{"weight_map": {"a": "../pytorch_model-1.bin"}}"#)
    #expect(throws: ApusError.self) { try ModelFolder(folder.path).weights() }
    try folder.write("pytorch_model.bin.index.json", #"{"weight_map": {"b": "pytorch_model-1.bin"}}"#)
    #expect(throws: ApusError.self) { try ModelFolder(folder.path).weights() }
  }
}
