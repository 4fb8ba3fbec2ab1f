import Images
import TensorCore
import TestSupport
import Testing

/// What can be seen of raw photographs: the JPEG that the camera put into them.
@Suite struct RawPictureTests {
  /// A JPEG of one colour above, and another below.
  static func jpeg(width: Int, height: Int) throws -> [UInt8] {
    let pixels = (0..<height).flatMap { y in
      [[UInt8]](repeating: y * 2 < height ? [250, 0, 0] : [0, 0, 250], count: width).flatMap(\.self)
    }
    let image = try RGBImage(width: width, height: height, pixels: pixels)
    return try Thumbnail(of: image, side: max(width, height), maximumBytes: 60_000).bytes
  }

  @Test func theJPEGIsTurnedAsTheFileSays() throws {
    let (small, large) = (try Self.jpeg(width: 32, height: 16), try Self.jpeg(width: 64, height: 48))
    for orientation in Orientation.allCases {
      let raw = try #require(
        try RawPicture(in: RawFile.nef(small, large, orientation: UInt32(orientation.rawValue))))
      #expect(raw.name == "NEF" && raw.jpeg == large)
      let decoded = try ImageDecoder.decode(raw.jpeg).image
      let upright = raw.upright(decoded)
      #expect(upright == orientation.applied(to: decoded))
      #expect((raw.metadata.width, raw.metadata.height) == (upright.width, upright.height))
    }
  }

  @Test func otherFilesAreNone() throws {
    #expect(try RawPicture(in: Self.jpeg(width: 32, height: 16)) == nil)
    #expect(try RawPicture(in: []) == nil)
  }

  @Test func oneWithoutAJPEGIsRefusedByName() {
    let error = #expect(throws: ApusError.self) { try RawPicture(in: RawFile.nef([], [])) }
    #expect(error?.kind == .image && error?.problem.contains("(NEF)") == true)
  }

  /// `classify` and all that decodes pictures by their content go on to refuse the file itself.
  @Test func theFileItselfIsRefused() throws {
    let raw = RawFile.nef(try Self.jpeg(width: 32, height: 16), try Self.jpeg(width: 64, height: 48))
    #expect(throws: ApusError.self) { try ImageDecoder.decode(raw) }
  }
}
