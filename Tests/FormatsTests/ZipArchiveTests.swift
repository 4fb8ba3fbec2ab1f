import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// The bytes of a fixture.
func fixture(_ base64: String) throws -> [UInt8] { try [UInt8](#require(Data(base64Encoded: base64))) }

/// What Python's zlib and zipfile wrote is read back; damage is refused.
struct ZipArchiveTests {
  static let labels = Array((0..<300).map { "class \($0)\n" }.joined().utf8)
  static let noise = (0..<200).map { (index: Int) -> UInt8 in UInt8((index * index * 31 + index * 7) % 251) }

  @Test(arguments: [
    FormatFixtures.deflatedDynamic, FormatFixtures.deflatedFixed, FormatFixtures.deflatedStored,
  ])
  func everyKindOfBlock(base64: String) throws {
    let packed = try fixture(base64)
    #expect(try Inflate.inflate(packed[...], limit: Self.labels.count) == Self.labels)
    #expect(throws: ApusError.self) { try Inflate.inflate(packed[...], limit: Self.labels.count - 1) }
    for count in 0..<packed.count - 4 {
      #expect(throws: ApusError.self) { try Inflate.inflate(packed[..<count], limit: 1 << 20) }
    }
  }

  @Test(arguments: [
    FormatFixtures.deflatedDynamic, FormatFixtures.deflatedFixed, FormatFixtures.deflatedStored,
  ])
  func damagedDataNeverExceedTheLimit(base64: String) throws {
    let packed = try fixture(base64)
    for position in packed.indices {
      for bit in [0, 5] {
        var damaged = packed
        damaged[position] ^= 1 << bit
        if let output = try? Inflate.inflate(damaged[...], limit: 5000) { #expect(output.count <= 5000) }
      }
    }
  }

  @Test func offsetsMayOrMayNotCountWhatStandsBefore() throws {
    let counting = try fixture(FormatFixtures.archiveCountingPrefix)
    let alone = try fixture(FormatFixtures.archiveAlone)
    for bytes in [counting, alone, Array("before it".utf8) + alone] {
      let archive = try #require(try ZipArchive.atEnd(of: bytes))
      #expect(archive.entries.map(\.name) == ["labels.txt", "noise.bin"])
      #expect(try archive.contents(of: "labels.txt") == Self.labels)
      #expect(try archive.contents(of: "noise.bin") == Self.noise)
    }
  }

  @Test func filesWithoutAnArchive() throws {
    #expect(try ZipArchive.atEnd(of: [])?.entries == nil)
    #expect(try ZipArchive.atEnd(of: [UInt8](repeating: 0x50, count: 100_000))?.entries == nil)
  }

  @Test func missingAndTooLargeFiles() throws {
    let archive = try #require(try ZipArchive.atEnd(of: try fixture(FormatFixtures.archiveAlone)))
    #expect(throws: ApusError.self) { try archive.contents(of: "other.txt") }
    #expect(throws: ApusError.self) { try archive.contents(of: "labels.txt", limit: 100) }
  }

  @Test func everyByteFlipped() throws {
    let bytes = try fixture(FormatFixtures.archiveAlone)
    for position in bytes.indices {
      for value in [0xFF, bytes[position] ^ 1] where value != bytes[position] {
        var damaged = bytes
        damaged[position] = value
        guard let archive = try? ZipArchive.atEnd(of: damaged) else { continue }
        for entry in archive.entries {
          let contents = try? archive.contents(of: entry.name)
          #expect([nil, Self.labels, Self.noise].contains(contents))
        }
      }
    }
  }
}
