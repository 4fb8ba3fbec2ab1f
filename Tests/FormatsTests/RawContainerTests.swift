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

  /// The worst of any change of any byte, and of any end, is that nothing is found.
  @Test func brokenFiles() {
    let bytes = RawFile.nef(Self.jpeg(16, 8), Self.jpeg(32, 24), orientation: 8)
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
        broken[Int.random(in: 0..<138, using: &random)] = UInt8.random(in: 0...255, using: &random)
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
