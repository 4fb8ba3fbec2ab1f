import Images
import TensorCore
import Testing

/// What a file of another format is, and what was done to it, is told as for PNG and JPEG.
@Suite struct FormatSourceTests {
  private static let libraries = PictureLibraries.installed
  private static let areAllPresent = libraries.all.allSatisfy(\.isPresent)

  @Test(
    .enabled(if: areAllPresent, "needs libwebp, libheif, libavif, giflib and libtiff"),
    arguments: [
      ("lossy80.webp", "YCbCr"), ("lossless.webp", "RGB, lossless"),
      ("animated.webp", "RGB with alpha, animated"),
      ("420.heic", "colour 8-bit"), ("bits10_444.heic", "colour 10-bit"),
      ("alpha.heic", "colour 8-bit with alpha"),
      ("420.avif", "YCbCr 8-bit"), ("grey.avif", "grey 8-bit"), ("alpha_444.avif", "YCbCr with alpha 8-bit"),
      ("interlaced.gif", "palette of 16, interlaced"), ("no_palette.gif", "grey"),
      ("transparent.gif", "palette of 16 with transparency"), ("palette4.bmp", "palette 4-bit"),
      ("runs8.bmp", "palette in runs 8-bit"), ("bgra32.bmp", "RGB with alpha 32-bit"),
      ("grey1.tif", "grey 1-bit"),
      ("rgba16.tif", "RGB with alpha 16-bit"), ("cmyk8.tif", "CMYK 8-bit"),
    ])
  func colourIsStated(_ name: String, _ colour: String) throws {
    #expect(try ImageDecoder.decode(contentsOf: FormatFixtures.path(name)).source.colour == colour)
  }

  @Test(
    .enabled(if: areAllPresent, "needs libwebp, libheif, libavif, giflib and libtiff"),
    arguments: [
      ("alpha_lossless.webp", true), ("alpha.heic", true), ("alpha_444.avif", true),
      ("transparent.gif", true),
      ("bgra32.bmp", true), ("rgba16.tif", true), ("lossy80.webp", false), ("420.heic", false),
      ("420.avif", false), ("interlaced.gif", false), ("palette4.bmp", false), ("cmyk8.tif", false),
    ])
  func alphaIsTold(_ name: String, _ hasAlpha: Bool) throws {
    let source = try ImageDecoder.decode(contentsOf: FormatFixtures.path(name)).source
    #expect(source.hasAlpha == hasAlpha)
  }

  @Test(.enabled(if: libraries.tiff.isPresent, "needs libtiff")) func orientationOfTIFFIsTheCallersChoice()
    throws
  {
    let path = FormatFixtures.path("oriented6.tif")
    let upright = try ImageDecoder.decode(contentsOf: path)
    let stored = try ImageDecoder.decode(contentsOf: path, options: ImageOptions(appliesOrientation: false))
    #expect(upright.source.orientation == .quarterTurnClockwise && upright.source.isReoriented)
    #expect(upright.image.width == stored.image.height && stored.source.storedWidth == stored.image.width)
  }

  /// libheif turns the picture, so that nothing is left to do, whatever EXIF says.
  @Test(.enabled(if: libraries.heif.isPresent, "needs libheif"), arguments: 2...8)
  func orientationOfHEICIsAppliedOnce(_ value: Int) throws {
    let plain = try ImageDecoder.decode(contentsOf: FormatFixtures.path("444.heic")).image
    let turned = try ImageDecoder.decode(contentsOf: FormatFixtures.path("oriented\(value).heic"))
    #expect(turned.source.orientation == .upright && !turned.source.isReoriented)
    let orientation = try #require(Orientation(rawValue: value))
    #expect(turned.image == orientation.applied(to: plain))
  }

  @Test(.enabled(if: libraries.webp.isPresent, "needs libwebp")) func transparencyIsTold() throws {
    let path = FormatFixtures.path("alpha_lossless.webp")
    #expect(
      try ImageDecoder.decode(contentsOf: path).source.notes
        == ["transparency ignored: pixels keep the colour they are stored with"])
    let black = try ImageDecoder.decode(contentsOf: path, options: ImageOptions(transparency: .over(.black)))
    #expect(black.source.notes == ["transparency blended over (0, 0, 0)"])
  }

  @Test(arguments: [
    ("ftypheic\0\0\0\0", ImageFormat.heic), ("ftypmif1\0\0\0\0heic", .heic), ("ftypmif1\0\0\0\0avif", .avif),
    ("ftypmif1\0\0\0\0mif1miafavif", .avif), ("ftypavis\0\0\0\0", .avif), ("ftypmsf1\0\0\0\0hevc", .heic),
  ])
  func brandsTellHEICFromAVIF(_ text: String, _ format: ImageFormat) {
    let bytes = [0, 0, 0, UInt8(text.utf8.count + 4)] + Array(text.utf8)
    let error = #expect(throws: ApusError.self) {
      try ImageDecoder.decode(bytes, libraries: MissingLibraries.all)
    }
    #expect(error?.problem.contains("a \(format.rawValue) picture") == true)
  }
}
