import Images
import TestSupport
import Testing

/// Pictures in WebP, GIF, BMP and TIFF become Pillow's RGB, byte for byte; HEIC and AVIF come within a step of it.
/// Where a library is not on the machine, the pictures that need it are left out.
@Suite struct FormatParityTests {
  private static let libraries = PictureLibraries.installed

  private func expectEqual(_ name: String, tolerance: Int = 0) throws {
    let expected = try #require(FormatFixtures.own.pictures[name])
    #expect(try expected.differences(FormatFixtures.path(name), tolerance: tolerance) == [], "\(name)")
  }

  @Test func thereAreFixtures() {
    #expect(FormatFixtures.own.pictures.count > 140, "\(FormatFixtures.own.versions)")
    #expect(FormatFixtures.shared.pictures.count > 30, "\(FormatFixtures.shared.versions)")
    #expect(!FormatFixtures.own.pictures.values.contains { $0.refused == true })
  }

  @Test(arguments: FormatFixtures.names("bmp")) func bmp(_ name: String) throws { try expectEqual(name) }

  @Test(
    .enabled(if: libraries.webp.isPresent, "needs libwebp"), arguments: FormatFixtures.names("webp"))
  func webp(_ name: String) throws { try expectEqual(name) }

  @Test(.enabled(if: libraries.gif.isPresent, "needs giflib"), arguments: FormatFixtures.names("gif"))
  func gif(_ name: String) throws { try expectEqual(name) }

  @Test(.enabled(if: libraries.tiff.isPresent, "needs libtiff"), arguments: FormatFixtures.names("tif"))
  func tiff(_ name: String) throws { try expectEqual(name) }

  /// libheif makes RGB. Its versions differ by one step, and by three where 10 bits of quarter chroma become 8:
  /// 1.15 rounds, 1.23 cuts.
  @Test(.enabled(if: libraries.heif.isPresent, "needs libheif"), arguments: FormatFixtures.names("heic"))
  func heic(_ name: String) throws { try expectEqual(name, tolerance: name.hasPrefix("bits10") ? 3 : 1) }

  /// libyuv, which converts for Pillow, has 6 bits behind the point; that is two steps where 219 shades become 255.
  @Test(.enabled(if: libraries.avif.isPresent, "needs libavif"), arguments: FormatFixtures.names("avif"))
  func avif(_ name: String) throws { try expectEqual(name, tolerance: name.hasPrefix("limited") ? 3 : 1) }

  @Test(
    .enabled(
      if: SharedData.isPresent && libraries.webp.isPresent && libraries.gif.isPresent,
      "needs the shared data, libwebp and giflib"), arguments: FormatFixtures.shared.pictures.keys.sorted())
  func sharedPicture(_ name: String) throws {
    let expected = try #require(FormatFixtures.shared.pictures[name])
    #expect(try expected.differences(SharedData.path(name), tolerance: 0) == [], "\(name)")
  }
}
