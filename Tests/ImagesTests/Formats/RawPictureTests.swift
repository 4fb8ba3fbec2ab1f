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

  /// Of files that are no TIFF in all their numbers too, time and camera are those of the photograph.
  @Test func whatAPhotographIs() throws {
    let jpeg = try Self.jpeg(width: 64, height: 48)
    let time = PictureTime(year: 2019, month: 6, day: 7, hour: 8, minute: 9, second: 10)
    let (canon, olympus) = (RawFile.cr3([], jpeg, orientation: 6), RawFile.orf(jpeg, orientation: 6))
    for (name, bytes) in [("CR3", canon), ("ORF", olympus)] {
      let raw = try #require(try RawPicture(in: bytes))
      #expect(raw.name == name && raw.jpeg == jpeg)
      #expect((raw.metadata.width, raw.metadata.height) == (48, 64))
      #expect(raw.metadata.taken == time, "\(name)")
      #expect(throws: ApusError.self) { try ImageDecoder.decode(bytes) }
    }
    let metadata = try #require(try RawPicture(in: canon)).metadata
    #expect(metadata.camera == "R65")
    #expect(metadata.place == PicturePlace(latitude: 48 + 8 / 60.0, longitude: 11.5))
  }

  /// What is damaged is an error, or a picture.
  @Test func brokenFiles() throws {
    let jpeg = try Self.jpeg(width: 32, height: 16)
    var random = SeededRandom()
    for bytes in [RawFile.cr3(jpeg, jpeg), RawFile.orf(jpeg)] {
      for end in stride(from: 0, to: bytes.count, by: 3) { _ = try? RawPicture(in: Array(bytes[..<end])) }
      for _ in 0..<5000 {
        var broken = bytes
        for _ in 0..<4 {
          broken[Int.random(in: 0..<300, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = try? RawPicture(in: broken)
      }
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
