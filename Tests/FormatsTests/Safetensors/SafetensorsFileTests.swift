import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// The rules of the format hold: verdicts are the reference library's, and tensors are the file's bytes.
struct SafetensorsFileTests {
  @Test func thereAreCases() {
    #expect(SafetensorsFixtures.all.cases.count > 150, "\(SafetensorsFixtures.all.versions)")
  }

  @Test(arguments: SafetensorsFixtures.all.cases.map(\.name))
  func verdictIsThatOfTheReference(_ name: String) throws {
    let sample = try #require(SafetensorsFixtures.all.cases.first { $0.name == name })
    let bytes = [UInt8](sample.file)
    if sample.verdict == "accepted", sample.rule == nil {
      let file = try SafetensorsFile(bytes, named: "model.safetensors")
      #expect(file.entries.map(\.name).sorted() == sample.names)
    } else {
      let error = #expect(throws: ApusError.self, "\(sample.verdict)") {
        try SafetensorsFile(bytes, named: "model.safetensors")
      }
      #expect(error?.kind == .malformedModel)
      #expect(error?.file == "model.safetensors")
    }
  }

  @Test func aMappedFileHasTheSameVerdicts() throws {
    let folder = try TemporaryFolder()
    for sample in SafetensorsFixtures.all.cases {
      let path = try folder.write("model.safetensors", sample.file)
      let mapped = Result { () throws(ApusError) in try SafetensorsFile(contentsOf: path).entries }
      let read = Result { () throws(ApusError) in
        try SafetensorsFile([UInt8](sample.file), named: path).entries
      }
      #expect(mapped == read, "\(sample.name)")
    }
  }

  @Test func tensorsAreTheBytesOfTheFile() throws {
    let bytes = SafetensorsBuilder.file([
      ("odd", "U8", [1], [9]), ("misaligned", "F32", [2], SafetensorsBuilder.bytes([1.5, -2])),
      ("flags", "BOOL", [3], [0, 1, 255]), ("scalar", "I16", [], [1, 2]), ("none", "F64", [0, 3], []),
    ])
    let folder = try TemporaryFolder()
    let path = try folder.write("model.safetensors", bytes)
    for file in [try SafetensorsFile(bytes, named: path), try SafetensorsFile(contentsOf: path)] {
      #expect(try file.tensor("odd").elements() == [9] as [UInt8])
      #expect(try file.tensor("misaligned").elements() == [1.5, -2] as [Float])
      #expect(try file.tensor("flags").elements() == [false, true, true])
      #expect(try file.tensor("scalar").elements() == [0x0201] as [Int16])
      #expect(try file.tensor("scalar").shape == .scalar)
      #expect(try file.tensor("none").shape.dimensions == [0, 3])
      let error = #expect(throws: ApusError.self) { try file.tensor("absent") }
      #expect(error?.file == path)
    }
  }

  @Test func whatCannotBeATensorIsRefusedWhenAskedFor() throws {
    for (name, text) in [("all of F8_E4M3", "F8_E4M3"), ("all of C64", "C64"), ("rank 1000", "rank 1000")] {
      let sample = try #require(SafetensorsFixtures.all.cases.first { $0.name == name })
      let file = try SafetensorsFile([UInt8](sample.file), named: "model.safetensors")
      let error = #expect(throws: ApusError.self) { try file.tensor("t") }
      #expect(error?.description.contains(text) == true)
      #expect(error?.location == "tensor 't'")
    }
  }

  @Test func aFileCutShortAfterOpeningIsFoundOut() throws {
    let count = 300_000
    let folder = try TemporaryFolder()
    let bytes = SafetensorsBuilder.file([("t", "U8", [count], [UInt8](repeating: 3, count: count))])
    let path = try folder.write("model.safetensors", bytes)
    let file = try SafetensorsFile(contentsOf: path)
    let collection = SafetensorsCollection(file)
    #expect(truncate(path, 4096) == 0)
    let sum = try file.tensor("t").withBytes { $0.reduce(0) { $0 + Int($1) } }
    #expect(sum < 3 * count)
    let error = #expect(throws: ApusError.self) { try collection.checkUndamaged() }
    #expect(error?.kind == .file)
  }

  @Test func refusesWhatIsNoFile() throws {
    let folder = try TemporaryFolder()
    for path in [folder.path, folder.path + "/absent"] {
      let error = #expect(throws: ApusError.self) { try SafetensorsFile(contentsOf: path) }
      #expect(error?.kind == .file)
      #expect(error?.file == path)
    }
  }
}

extension Result {
  fileprivate init(_ body: () throws(Failure) -> Success) {
    do { self = .success(try body()) } catch { self = .failure(error) }
  }
}
