import Images
import TensorCore
import Testing

/// Raw files of cameras, whose first picture is a thumbnail, are refused by name. Tags are those of TIFF 6.0, TIFF/EP and DNG
/// 1.7.
@Suite struct RawPhotographTests {
  /// A little-endian TIFF of one row of two pixels, with more entries in its directory.
  private static func tiff(
    _ extra: [(tag: UInt16, type: UInt16, count: UInt32, value: UInt32)] = [], colours: UInt32 = 2,
    next: UInt32 = 0
  ) -> [UInt8] {
    let plain: [(tag: UInt16, type: UInt16, count: UInt32, value: UInt32)] = [
      (256, 3, 1, 2), (257, 3, 1, 1), (258, 3, 3, 10), (259, 3, 1, 1), (262, 3, 1, colours), (273, 4, 1, 16),
      (277, 3, 1, 3), (278, 3, 1, 1), (279, 4, 1, 6),
    ]
    let entries = (plain + extra).sorted { $0.tag < $1.tag }
    var bytes: [UInt8] = Array("II*\0".utf8) + little(UInt32(32)) + [0, 0]
    bytes += [8, 0, 8, 0, 8, 0] + [10, 20, 30, 40, 50, 60] + Array("NIKON\0".utf8)
    bytes += [0, 0, 0, 0]
    bytes += little(UInt16(entries.count))
    for entry in entries {
      bytes += little(entry.tag) + little(entry.type) + little(entry.count) + little(entry.value)
    }
    return bytes + little(next)
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> (8 * Number($0))) }
  }

  private func failure(_ bytes: [UInt8]) -> ApusError? {
    do throws(ApusError) {
      _ = try ImageDecoder.decode(bytes)
      return nil
    } catch {
      return error
    }
  }

  private static let thumbnail = (tag: UInt16(254), type: UInt16(4), count: UInt32(1), value: UInt32(1))
  private static let subdirectory = (tag: UInt16(330), type: UInt16(4), count: UInt32(1), value: UInt32(32))
  private static let make = (tag: UInt16(271), type: UInt16(2), count: UInt32(6), value: UInt32(22))
  private static let version = (tag: UInt16(50706), type: UInt16(1), count: UInt32(4), value: UInt32(0x401))

  /// Bytes 8 and 9 of a CR2.
  private static let canon: [UInt8] = {
    var bytes = tiff([thumbnail])
    bytes.replaceSubrange(8..<10, with: Array("CR".utf8))
    return bytes
  }()

  private static let files: [String: [UInt8]] = [
    "DNG": tiff([thumbnail, subdirectory, version]), "NEF": tiff([thumbnail, subdirectory, make]),
    "CR2": canon,
    "TIFF": tiff(colours: 32803),
    "CR3": little(UInt32(0x1800_0000)) + Array("ftypcrx \0\0\0\u{1}crx isom".utf8),
    "RAF": Array("FUJIFILMCCD-RAW 0201".utf8), "ORF": Array("IIRO\u{8}\0\0\0\0\0".utf8),
    "RW2": Array("IIU\0\u{8}\0\0\0\0\0".utf8),
  ]

  @Test(arguments: files.keys.sorted()) func rawFilesAreRefusedByName(_ name: String) throws {
    let bytes = try #require(Self.files[name])
    let error = try #require(failure(bytes))
    #expect(error.kind == .image && error.problem.hasPrefix("a raw photograph (\(name))"), "\(error)")
    #expect(error.advice?.contains("Export") == true)
    // Nor does anything say that the photograph is as small as its thumbnail.
    #expect(throws: ApusError.self) { try PictureMetadata(of: bytes) }
  }

  @Test func aThumbnailOfAnotherPictureIsRefused() {
    for bytes in [Self.tiff([Self.thumbnail, Self.subdirectory]), Self.tiff([Self.thumbnail], next: 32)] {
      #expect(failure(bytes)?.problem == "a TIFF whose first picture is a thumbnail of another in it")
    }
  }

  /// Pages, a picture that is smaller than one elsewhere, and one with smaller copies behind it.
  @Test(.enabled(if: ImageFormat.tiff.isSupported, "needs libtiff")) func otherTIFFsAreRead() throws {
    for bytes in [
      Self.tiff(), Self.tiff([Self.thumbnail]), Self.tiff(next: 32),
      Self.tiff([Self.subdirectory, Self.make]),
    ] {
      #expect(try ImageDecoder.decode(bytes).image.pixels == [10, 20, 30, 40, 50, 60])
    }
  }
}
