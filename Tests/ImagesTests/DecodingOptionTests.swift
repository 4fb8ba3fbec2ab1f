import Images
import TensorCore
import Testing

/// Every choice made while decoding is the caller's, and is stated in the source.
@Suite struct DecodingOptionTests {
  private func decode(_ name: String, _ options: ImageOptions = .standard) throws -> DecodedImage {
    try ImageDecoder.decode(contentsOf: PictureFixtures.path(name), options: options)
  }

  @Test(arguments: ["rgba8.png", "greyalpha8.png", "rgb8_key.png", "palette2_interlaced.png"])
  func transparency(_ name: String) throws {
    let stored = try decode(name)
    #expect(stored.source.notes == ["transparency ignored: pixels keep the colour they are stored with"])
    let white = try decode(name, ImageOptions(transparency: .over(.white)))
    let black = try decode(name, ImageOptions(transparency: .over(.black)))
    #expect(white.image != black.image)
    #expect(zip(white.image.pixels, black.image.pixels).allSatisfy { $0 >= $1 })
  }

  @Test(arguments: [
    ("rgba8.png", true), ("greyalpha8.png", true), ("rgb8_key.png", true), ("palette2_interlaced.png", true),
    ("rgb8.png", false), ("grey16.png", false), ("ycbcr420.jpg", false), ("cmyk.jpg", false),
  ])
  func alphaIsTold(_ name: String, _ hasAlpha: Bool) throws {
    for transparency in [ImageOptions.Transparency.ignored, .over(.white)] {
      let source = try decode(name, ImageOptions(transparency: transparency)).source
      #expect(source.hasAlpha == hasAlpha)
    }
  }

  private static let transparencies: [(String, ImageOptions.Transparency)] = [
    ("ignored", .ignored), ("white", .over(.white)), ("black", .over(.black)),
    ("0a80ff", .over(ImageOptions.Colour(red: 10, green: 128, blue: 255))),
  ]

  @Test(arguments: DecodingOptionTests.transparencies)
  func transparencyIsWrittenAndRead(_ text: String, _ transparency: ImageOptions.Transparency) {
    let read = ImageOptions.Transparency(text)
    #expect(read == transparency && transparency.description == text)
  }

  @Test func grey16() throws {
    let clipped = try decode("grey16.png"), high = try decode("grey16.png", ImageOptions(grey16: .highByte))
    #expect(clipped.source.notes == ["16-bit grey clipped to 255, as Pillow does"])
    #expect(high.source.notes.isEmpty)
    #expect(high.image.pixels.allSatisfy { $0 <= 4 })
  }

  @Test(arguments: [
    ("rgb8.png", "RGB 8-bit"), ("grey1.png", "grey 1-bit"), ("palette2.png", "palette 2-bit"),
    ("rgba16.png", "RGB with alpha 16-bit"), ("rgb8_interlaced.png", "RGB 8-bit, interlaced"),
    ("rgb8_key.png", "RGB 8-bit with transparency"), ("grey.jpg", "grey"), ("ycbcr420.jpg", "YCbCr"),
    ("progressive.jpg", "YCbCr, progressive"), ("rgb.jpg", "RGB"),
    ("cmyk.jpg", "CMYK (taken as inverted, as Adobe writes it)"),
    ("ycck.jpg", "YCCK (taken as inverted, as Adobe writes it)"),
  ])
  func colourIsStated(_ name: String, _ colour: String) throws {
    #expect(try decode(name).source.colour == colour)
  }

  @Test func pixelsMustFit() {
    #expect(throws: ApusError.self) { try RGBImage(width: 2, height: 2, pixels: [0]) }
    #expect(throws: ApusError.self) { try RGBImage(width: 0, height: 2, pixels: []) }
    #expect(throws: ApusError.self) { try RGBImage(width: .max, height: .max, pixels: []) }
  }
}
