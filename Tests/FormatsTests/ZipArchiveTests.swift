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

  /// A stored file whose sizes and offset stand in the wider fields of zip64, as archives over 4 GiB have them.
  private static func zip64(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let checksum = number(Int(CRC32.checksum(contents)), 4)
    let wide = [UInt8](repeating: 0xFF, count: 8)
    let common = number(45, 2) + number(0, 8) + checksum + wide + number(name.utf8.count, 2)
    let sizes = number(contents.count, 8) + number(contents.count, 8)
    let local =
      number(0x0403_4B50, 4) + common + number(20, 2) + name.utf8 + number(1, 2) + number(16, 2) + sizes
    let central =
      number(0x0201_4B50, 4) + number(45, 2) + common + number(28, 2) + number(0, 10) + wide.prefix(4)
      + name.utf8
      + number(1, 2) + number(24, 2) + sizes + number(0, 8)
    let start = local.count + contents.count
    let record =
      number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) + number(1, 8)
      + number(1, 8)
      + number(central.count, 8) + number(start, 8)
    let locator = number(0x0706_4B50, 4) + number(0, 4) + number(start + central.count, 8) + number(1, 4)
    let end = number(0x0605_4B50, 4) + number(0, 4) + wide.prefix(4) + wide + number(0, 2)
    return local + contents + central + record + locator + end
  }

  @Test func archivesOfZip64() throws {
    let bytes = Self.zip64("labels.txt", Self.labels)
    let archive = try #require(try ZipArchive.atEnd(of: bytes))
    let entry = try #require(archive.entries.first)
    #expect(try archive.contents(of: "labels.txt") == Self.labels)
    #expect(Array(bytes[try archive.storedRange(of: entry)]) == Self.labels)
    for position in bytes.indices {
      for value in [0xFF, 0, bytes[position] ^ 1] where value != bytes[position] {
        var damaged = bytes
        damaged[position] = value
        guard let archive = try? ZipArchive.atEnd(of: damaged) else { continue }
        for entry in archive.entries {
          let contents = try? archive.contents(of: entry.name)
          #expect([nil, Self.labels].contains(contents))
          if let range = try? archive.storedRange(of: entry) { #expect(range.upperBound <= damaged.count) }
        }
      }
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
