import Foundation
import JSONCoding
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// The verdict on each odd file is that of the reference library.
@Suite(.enabled(if: SharedData.isPresent, "no shared data"))
struct SafetensorsSharedDataTests {
  private static func verdicts() throws -> [(name: String, verdict: String)] {
    let bytes = try FileBytes.read(SharedData.path("safetensors/cases/EXPECTED.json"))
    guard case .object(let members) = try JSONValue.parse(bytes[...]) else { return [] }
    return members.map { ($0.key.text, $0.value.string ?? "") }
  }

  @Test func verdictsAreThoseOfTheReference() throws {
    let verdicts = try Self.verdicts()
    #expect(verdicts.count >= 27)
    for (name, verdict) in verdicts {
      let path = SharedData.path("safetensors/cases/\(name).safetensors")
      if verdict.hasPrefix("refused") {
        let error = #expect(throws: ApusError.self, "\(name)") { try SafetensorsFile(contentsOf: path) }
        #expect(error?.kind == .malformedModel, "\(name)")
        #expect(error?.file == path, "\(name)")
      } else {
        let file = try SafetensorsFile(contentsOf: path)
        let names = file.entries.map(\.name).sorted().joined(separator: ",")
        #expect(verdict.dropFirst("accepted ".count) == names.prefix(80), "\(name)")
        for entry in file.entries where entry.type.dataType != nil { _ = try file.tensor(entry.name) }
      }
    }
  }

  @Test func unreadableTypesAreRefusedWhenAskedFor() throws {
    let file = try SafetensorsFile(contentsOf: SharedData.path("safetensors/cases/ok_f8.safetensors"))
    for entry in file.entries {
      let error = #expect(throws: ApusError.self) { try file.tensor(entry.name) }
      #expect(error?.kind == .unsupportedModel)
      #expect(error?.description.contains(entry.type.rawValue) == true)
    }
  }

  @Test func realFiles() throws {
    let digits = try SafetensorsFile(contentsOf: SharedData.path("safetensors/real/mnist.safetensors"))
    let train = try #require(digits.entries.first { $0.shape == [6000, 196] })
    let tensor = try digits.tensor(train.name)
    #expect(tensor.dataType == .uint8)
    #expect(tensor.withBytes { $0.count } == 6000 * 196)
    // No copy was made.
    #expect(tensor.mappedFile != nil)
    try digits.checkUndamaged()
  }
}
