import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Written files are those of the reference library, byte for byte, and come back as they were.
struct SafetensorsWriterTests {
  @Test(arguments: SafetensorsFixtures.all.written.map(\.name))
  func bytesAreThoseOfTheReference(_ name: String) throws {
    let sample = try #require(SafetensorsFixtures.all.written.first { $0.name == name })
    let file = try SafetensorsFile([UInt8](sample.file), named: name)
    var tensors: [(name: String, tensor: Tensor)] = []
    for entry in file.entries.reversed() { tensors.append((entry.name, try file.tensor(entry.name))) }
    #expect(try SafetensorsWriter.bytes(tensors, metadata: file.metadata) == [UInt8](sample.file))
  }

  @Test func comesBackFromTheDisk() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/model.safetensors"
    var random = SeededRandom()
    let values = random.floats(10_000)
    let tensor = try Tensor(values, shape: Shape([100, 100]))
    let metadata: [ExactText: String] = ["format": "pt", "quote \"": "line\nbreak\u{1}", "ü": "😀"]
    for _ in 0..<2 {
      try SafetensorsWriter.write(
        [("x", tensor), ("a/b.c", try Tensor([1, 2] as [Int8], shape: .vector(2)))], metadata: metadata,
        to: path)
      let file = try SafetensorsFile(contentsOf: path)
      #expect(try file.tensor("x").elements() == values)
      #expect(try file.tensor("a/b.c").elements() == [1, 2] as [Int8])
      #expect(file.metadata == metadata)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["model.safetensors"])
  }

  @Test func aFailureLeavesTheOldFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("model.safetensors", "old")
    let tensor = try Tensor([1] as [Float], shape: .vector(1))
    for names in [["a", "a"], ["__metadata__"]] {
      let error = #expect(throws: ApusError.self) {
        try SafetensorsWriter.write(names.map { ($0, tensor) }, to: path)
      }
      #expect(error?.kind == .argument)
    }
    #expect(try FileBytes.read(path) == Array("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["model.safetensors"])
    let error = #expect(throws: ApusError.self) {
      try SafetensorsWriter.write([("a", tensor)], to: folder.path + "/absent/model.safetensors")
    }
    #expect(error?.kind == .file)
  }

  @Test func namesThatDifferByCompositionAreTwo() throws {
    let tensors: [(name: String, tensor: Tensor)] = [
      ("\u{E9}", try Tensor([1] as [Int8], shape: .vector(1))),
      ("e\u{301}", try Tensor([2] as [Int8], shape: .vector(1))),
    ]
    let bytes = try SafetensorsWriter.bytes(tensors, metadata: ["\u{E9}": "1", "e\u{301}": "2"])
    let file = try SafetensorsFile(bytes, named: "x")
    #expect(try file.tensor("\u{E9}").elements() == [1] as [Int8])
    #expect(try file.tensor("e\u{301}").elements() == [2] as [Int8])
    #expect(file.metadata == ["\u{E9}": "1", "e\u{301}": "2"])
  }
}
