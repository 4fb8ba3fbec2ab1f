import Formats
import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// Folders of packed weights give what the same folders give with their weights written out.
struct PackedFolderTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  @Test func resultsAreThoseOfTheWeightsWrittenOut() throws {
    let folder = try FolderSample("bert-int4").folder
    let floats = try UnpackedFolder(folder, at: scratch.path + "/floats").folder
    for precision in [Precision.float32, .bfloat16] {
      #expect(try FolderSample.outputs(folder, precision) == FolderSample.outputs(floats, precision))
    }
    // Rows of 8 bits are multiplied as they are stored, where floats are rounded anew.
    let found = try FolderSample.outputs(folder, .int8), expected = try FolderSample.outputs(folder)
    for (found, expected) in zip(found, expected) { #expect(FolderSample.decibels(found, expected) > 20) }
  }

  @Test func anotherFormIsNotMadeOfThem() throws {
    let folder = try FolderSample("bert-int4").folder
    for target in QuantizationTarget.allCases {
      let error = #expect(throws: ApusError.self) {
        try FolderQuantizer(folder, .init(target)).write(to: scratch.path + "/out")
      }
      #expect(error?.kind == .argument && error?.problem == "is packed already")
    }
  }
}
