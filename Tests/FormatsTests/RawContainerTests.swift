import TestSupport
import Testing

@testable import Formats

/// JPEG pictures found in raw files of cameras.
@Suite struct RawContainerTests {
  /// The beginning of a JPEG: a segment of metadata, and the header of a frame.
  private static func jpeg(_ width: UInt8, _ height: UInt8, frame: UInt8 = 0xC0) -> [UInt8] {
    [
      0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 1, 2, 0xFF, frame, 0, 11, 8, 0, height, 0, width, 1, 1, 0x11, 0, 0xFF,
      0xD9,
    ]
  }

  @Test func theLargestIsFound() throws {
    let (small, large) = (Self.jpeg(16, 8), Self.jpeg(32, 24))
    for (first, second) in [(small, large), (large, small)] {
      let bytes = RawFile.nef(first, second, orientation: 6)
      let found = try #require(RawContainer.largestJPEG(in: bytes))
      #expect(Array(bytes[found.range]) == large)
      #expect((found.width, found.height, found.orientation) == (32, 24, 6))
    }
  }

  /// What a sensor recorded is compressed as lossless JPEG.
  @Test func losslessOnesAreNone() throws {
    let bytes = RawFile.nef(Self.jpeg(16, 8), Self.jpeg(32, 24, frame: 0xC3))
    #expect(RawContainer.largestJPEG(in: bytes)?.width == 16)
    #expect(RawContainer.largestJPEG(in: RawFile.nef([], Self.jpeg(32, 24, frame: 0xC3))) == nil)
  }

  @Test func aRAFSaysWhereItsPictureLies() throws {
    let jpeg = Self.jpeg(32, 24)
    var bytes = Array("FUJIFILMCCD-RAW 0201".utf8)
    bytes += [UInt8](repeating: 0, count: 100 - bytes.count)
    bytes.replaceSubrange(84..<92, with: [0, 0, 0, 100, 0, 0, 0, UInt8(jpeg.count)])
    #expect(RawContainer.largestJPEG(in: bytes + jpeg)?.range == 100..<(100 + jpeg.count))
    #expect(RawContainer.largestJPEG(in: bytes) == nil)
  }

  /// An RW2 is a TIFF but for one number, and has its JPEG as the bytes of a tag.
  @Test func aJPEGInATag() throws {
    let jpeg = Self.jpeg(32, 24)
    let entry: [UInt8] = [0x2E, 0, 7, 0, UInt8(jpeg.count), 0, 0, 0, 26, 0, 0, 0]
    let bytes = Array("IIU\0".utf8) + [8, 0, 0, 0, 1, 0] + entry + [0, 0, 0, 0] + jpeg
    #expect(RawContainer.largestJPEG(in: bytes)?.range == 26..<(26 + jpeg.count))
  }

  /// An ORF says where its picture lies in the note of its maker, of which there are three kinds.
  @Test(arguments: ["OLYMPUS\0II\u{3}\0", "OM SYSTEM\0\0\0II\u{4}\0", "OLYMP\0\u{2}\0"])
  func aPictureInAMakersNote(_ head: String) throws {
    let jpeg = Self.jpeg(32, 24)
    for type in [4, 7, 13] as [UInt16] {
      let bytes = RawFile.orf(jpeg, orientation: 6, head: head, type: type)
      let found = try #require(RawContainer.largestJPEG(in: bytes), "\(type)")
      #expect(found.range == (bytes.count - jpeg.count)..<bytes.count && found.orientation == 6)
    }
    #expect(RawContainer.largestJPEG(in: RawFile.orf(jpeg, head: "NIKON..\0II\u{3}\0")) == nil)
    #expect(RawContainer.largestJPEG(in: RawFile.orf(jpeg, head: "OLYMPUS\0IM\u{3}\0")) == nil)
  }

  @Test func picturesInBoxes() throws {
    let (small, large) = (Self.jpeg(16, 8), Self.jpeg(32, 24))
    for (thumbnail, preview) in [(small, large), (large, small), (large, []), ([], large)] {
      let bytes = RawFile.cr3(thumbnail, preview, orientation: 8)
      let found = try #require(RawContainer.largestJPEG(in: bytes))
      #expect(Array(bytes[found.range]) == large)
      #expect((found.width, found.height, found.orientation) == (32, 24, 8))
    }
    #expect(RawContainer.largestJPEG(in: RawFile.cr3([], [])) == nil)
  }

  /// A box may state its length in 8 bytes, and the last one none.
  @Test func longBoxes() throws {
    let jpeg = Self.jpeg(32, 24)
    let bytes = RawFile.cr3([], jpeg)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "PRVW".utf8) }) - 4
    for length in [0, UInt32(8 + 16 + jpeg.count)] {
      var changed = bytes
      changed.replaceSubrange(start..<(start + 4), with: [0, 0, 0, UInt8(length)])
      #expect(RawContainer.largestJPEG(in: changed)?.width == 32)
    }
    let head: [UInt8] = [0, 0, 0, 24] + Array("ftypcrx ".utf8) + [UInt8](repeating: 0, count: 12)
    let identifier = Array(bytes[(start - 24)..<start])
    let own = [UInt8](repeating: 0, count: 16) + jpeg
    let preview = [0, 0, 0, 1] + Array("PRVW".utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(16 + own.count)] + own
    let whole = head + [0, 0, 0, UInt8(8 + 24 + preview.count)] + Array("uuid".utf8) + identifier + preview
    #expect(RawContainer.largestJPEG(in: whole)?.range == (whole.count - jpeg.count)..<whole.count)
    // One that says that it is longer than the one around it is none.
    var long = whole
    long[whole.count - own.count - 1] += 1
    #expect(RawContainer.largestJPEG(in: long) == nil)
  }

  private static let samples = [
    RawFile.nef(jpeg(16, 8), jpeg(32, 24), orientation: 8), RawFile.orf(jpeg(32, 24)),
    RawFile.cr3(jpeg(16, 8), jpeg(32, 24)),
  ]

  /// The worst of any change of any byte, and of any end, is that nothing is found.
  @Test(arguments: samples.indices) func brokenFiles(_ sample: Int) {
    let bytes = Self.samples[sample]
    for end in bytes.indices { _ = RawContainer.largestJPEG(in: Array(bytes[..<end])) }
    for place in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] as [UInt8] {
        var broken = bytes
        broken[place] = value
        if let found = RawContainer.largestJPEG(in: broken) {
          #expect(found.range.lowerBound >= 0 && found.range.upperBound <= broken.count)
        }
      }
    }
    var random = SeededRandom()
    for _ in 0..<20_000 {
      var broken = bytes
      for _ in 0..<4 {
        broken[Int.random(in: 0..<min(bytes.count, 300), using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = RawContainer.largestJPEG(in: broken)
    }
  }

  /// Directories that name each other, and themselves.
  @Test func circles() {
    let bytes: [UInt8] =
      Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x4A, 1, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0]
    #expect(RawContainer.largestJPEG(in: bytes) == nil)
  }
}
