import Images
import TestSupport
import Testing

/// One transparent colour in the place of alpha becomes white for a model whose image processor converts to RGB, and for no
/// other. Pixels are those of `convert_to_rgb(load_image(file))` in transformers 5.24 with Pillow 12.
struct TransparentColourTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bitDepth, colourType: UInt8
    let width: Int
    let row: [UInt8]
    var palette: [UInt8] = []
    let transparency: [UInt8]
    /// The pixels that become white, and the others as they are stored.
    let white: Set<Int>

    init(
      _ description: String, _ bitDepth: UInt8, _ colourType: UInt8, width: Int, row: [UInt8],
      palette: [UInt8] = [], transparency: [UInt8], white: Set<Int>
    ) {
      testDescription = description
      (self.bitDepth, self.colourType, self.width, self.row) = (bitDepth, colourType, width, row)
      (self.palette, self.transparency, self.white) = (palette, transparency, white)
    }

    var bytes: [UInt8] {
      var chunks: [(name: String, body: [UInt8])] = []
      if !palette.isEmpty { chunks.append(("PLTE", palette)) }
      chunks.append(("tRNS", transparency))
      return PNGFile.bytes(
        width: width, bitDepth: bitDepth, colourType: colourType, rows: [row], chunks: chunks)
    }
  }

  /// The first and the third colour are the same.
  private static let palette: [UInt8] = [1, 2, 3, 10, 20, 30, 1, 2, 3, 40, 50, 60]
  private static let indices: [UInt8] = [0, 1, 2, 3]

  private static let cases = [
    Case(
      "palette, one entry", 8, 3, width: 4, row: indices, palette: palette, transparency: [0], white: [0, 2]),
    Case(
      "palette, a later entry", 8, 3, width: 4, row: indices, palette: palette, transparency: [255, 0],
      white: [1]),
    Case(
      "palette, two entries", 8, 3, width: 4, row: indices, palette: palette, transparency: [0, 0], white: []),
    Case(
      "palette, half transparent", 8, 3, width: 4, row: indices, palette: palette, transparency: [128],
      white: []),
    Case(
      "palette, opaque", 8, 3, width: 4, row: indices, palette: palette, transparency: [255, 255], white: []),
    Case("RGB", 8, 2, width: 2, row: [1, 2, 3, 4, 5, 6], transparency: [0, 1, 0, 2, 0, 3], white: [0]),
    Case(
      "RGB of 16 bits, by its higher bytes", 16, 2, width: 2, row: [1, 9, 2, 8, 3, 7, 4, 4, 5, 5, 6, 6],
      transparency: [1, 9, 2, 8, 3, 7], white: []),
    Case(
      "RGB of 16 bits, by its lower bytes", 16, 2, width: 2, row: [1, 9, 2, 8, 3, 7, 4, 4, 5, 5, 6, 6],
      transparency: [7, 1, 7, 2, 7, 3], white: [0]),
    Case("grey", 8, 0, width: 4, row: [1, 2, 3, 4], transparency: [0, 3], white: [2]),
    Case("grey of 2 bits, black", 2, 0, width: 4, row: [0b0001_1011], transparency: [0, 0], white: [0]),
    Case("grey of 2 bits, another", 2, 0, width: 4, row: [0b0001_1011], transparency: [0, 1], white: []),
    Case("black and white, black", 1, 0, width: 4, row: [0b0101_0000], transparency: [0, 0], white: [0, 2]),
    Case("black and white, white", 1, 0, width: 4, row: [0b0101_0000], transparency: [0, 1], white: []),
    Case(
      "grey of 16 bits, black", 16, 0, width: 3, row: [0, 0, 0, 9, 0, 12], transparency: [0, 0], white: [0]),
    Case(
      "grey of 16 bits, a lower byte of 0", 16, 0, width: 3, row: [0, 0, 0, 9, 0, 12], transparency: [1, 0],
      white: [0]),
    Case(
      "grey of 16 bits, another", 16, 0, width: 3, row: [0, 0, 0, 9, 0, 12], transparency: [0, 9], white: []),
  ]

  private var whitening: ImageOptions {
    var options = ImageOptions()
    options.whitensTransparentColour = true
    return options
  }

  private func expectWhite(_ places: Set<Int>, in bytes: [UInt8]) throws {
    let stored = try ImageDecoder.decode(bytes)
    let found = try ImageDecoder.decode(bytes, options: whitening)
    var expected = stored.image.pixels
    for place in places {
      for channel in 0..<3 { expected[place * 3 + channel] = 255 }
    }
    #expect(found.image.pixels == expected)
    #expect(stored.source.hasAlpha && found.source.hasAlpha)
    // What is asked for goes before it.
    for transparency in [ImageOptions.Transparency.over(.white), .over(.black)] {
      var options = whitening
      options.transparency = transparency
      let blended = try ImageDecoder.decode(bytes, options: options).image
      let plain = try ImageDecoder.decode(bytes, options: ImageOptions(transparency: transparency)).image
      #expect(blended == plain)
    }
  }

  @Test(arguments: cases) func ofPNG(_ this: Case) throws { try expectWhite(this.white, in: this.bytes) }

  @Test(.enabled(if: ImageFormat.gif.isSupported, "needs giflib")) func ofGIF() throws {
    let screen: [UInt8] = Array("GIF89a".utf8) + [3, 0, 1, 0, 0x81, 0, 0] + Self.palette
    let control: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 2, 0]
    // The indices 0, 2 and 1 in three bits each, with a cleared table before each.
    let picture: [UInt8] = [0x2C, 0, 0, 0, 0, 3, 0, 1, 0, 0, 2, 3, 0x04, 0xC5, 0x14, 0, 0x3B]
    let bytes = screen + control + picture
    let stored = try ImageDecoder.decode(bytes).image
    #expect(stored.pixels == [1, 2, 3, 1, 2, 3, 10, 20, 30])
    try expectWhite([0, 1], in: bytes)
  }

  @Test func alphaItselfIsLeft() throws {
    let bytes = PNGFile.bytes(width: 2, height: 1, pixels: [1, 2, 3, 0, 4, 5, 6, 255], hasAlpha: true)
    let found = try ImageDecoder.decode(bytes, options: whitening).image
    #expect(found.pixels == [1, 2, 3, 4, 5, 6])
  }

  @Test func itIsSaid() throws {
    let bytes = Self.cases[0].bytes
    let notes = try ImageDecoder.decode(bytes, options: whitening).source.notes
    #expect(notes == ["the transparent colour (1, 2, 3) became white"])
  }

  @Test func whatIsAskedForGoesBeforeAProfile() {
    var profile = PreprocessingProfile.clip
    #expect(ImageOptions.standard.prepared(for: profile).whitensTransparentColour == false)
    profile.whitensTransparentColour = true
    #expect(ImageOptions.standard.prepared(for: profile).whitensTransparentColour == true)
    #expect(profile.with(profile.normalization) == profile)
    var options = ImageOptions()
    options.whitensTransparentColour = false
    #expect(options.prepared(for: profile) == options)
  }
}
