import FuzzBodies
import Images
import TensorCore
import Testing

/// Cut, changed and hostile files of other formats end in a typed error or a picture; never in a crash, and never in
/// memory beyond the limits. Where a library is missing, that is the error.
@Suite struct MalformedFormatTests {
  private static let names = [
    "lossy5.webp", "lossless.webp", "alpha_lossy.webp", "animated_part.webp", "interlaced.gif",
    "larger_screen_transparent.gif", "runs8.bmp", "runs4.bmp", "palette4.bmp", "rgb565.bmp", "bgra32.bmp",
    "lzw_palette.tif", "tiles_separate_cmyk8.tif", "jpeg.tif", "group4.tif", "444.heic", "420.avif",
    "alpha_444.avif",
  ]
  private static let limits = ImageLimits(pixels: 1 << 16)

  /// The error for bytes; nil when they decode.
  private func failure(_ bytes: [UInt8], limits: ImageLimits = limits) -> ApusError? {
    do throws(ApusError) {
      let image = try ImageDecoder.decode(
        bytes, limits: limits, options: ImageOptions(transparency: .over(.white))
      )
      .image
      #expect(image.pixels.count == image.width * image.height * 3)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: names) func cutAtEveryByte(_ name: String) throws {
    let bytes = try FormatFixtures.bytes(name)
    for count in bytes.indices {
      guard let error = failure(Array(bytes.prefix(count))) else {
        // What follows the last row is not needed.
        #expect(count > bytes.count / 2, "the first \(count) bytes of \(name)")
        continue
      }
      #expect(error.kind == .image || error.kind == .resources, "\(count): \(error)")
    }
  }

  /// Every byte is inverted, and a bit of it flipped.
  @Test(arguments: names) func everyByteChanged(_ name: String) throws {
    let bytes = try FormatFixtures.bytes(name)
    var refused = 0
    for index in bytes.indices {
      for mask in [UInt8(0xFF), 1 << UInt8(index % 8)] {
        var changed = bytes
        changed[index] ^= mask
        if failure(changed) != nil { refused += 1 }
      }
    }
    #expect(refused > 0, "changes to the header must be noticed")
  }

  @Test(arguments: ["webp", "heic", "avif", "gif", "bmp", "tif"]) func hostileHeaders(_ ending: String) throws
  {
    let names = FormatFixtures.allNames(ending).filter { $0.hasPrefix("bad_") }
    #expect(names.count >= 2)
    for name in names {
      let bytes = try FormatFixtures.bytes(name)
      // A screen without pixels grows to hold its picture, as in Pillow.
      if name == "bad_empty.gif" { continue }
      #expect(failure(bytes)?.kind == .image, "\(name)")
      // A header alone makes nobody allocate, even when the limit would allow it.
      #expect(name.contains("gif") || failure(bytes, limits: ImageLimits(pixels: 1 << 33)) != nil, "\(name)")
    }
  }

  /// A row of one pixel costs a call, and there could be as many as the limit has pixels.
  @Test(.enabled(if: PictureLibraries.installed.tiff.isPresent, "needs libtiff")) func narrowTIFF() throws {
    var bytes = try FormatFixtures.bytes("one_strip.tif")
    func replace(tag: UInt8, by number: [UInt8]) throws {
      // Tag, type 4, one value.
      let entry = try #require(bytes.firstRange(of: [tag, 1, 4, 0, 1, 0, 0, 0]))
      bytes.replaceSubrange(entry.upperBound..<(entry.upperBound + 4), with: number)
    }
    try replace(tag: 0, by: [1, 0, 0, 0])
    try replace(tag: 1, by: [0, 0, 32, 0])
    let error = try #require(failure(bytes, limits: .standard))
    #expect(error.problem == "a TIFF of 1×2097152 pixels" && error.expected == "sides of at most 1000000")
  }

  @Test(arguments: ["lossless.webp", "444.heic", "444.avif", "grey.gif", "rgb24.bmp", "rgb8.tif"])
  func limitsHold(_ name: String) throws {
    let bytes = try FormatFixtures.bytes(name)
    let format = try #require(name.split(separator: ".").last)
    let isReadable =
      PictureLibraries.installed.all.first { $0.format.rawValue.lowercased().hasPrefix(format.prefix(3)) }?
      .isPresent
      ?? true
    let area = 21 * 13
    #expect((failure(bytes, limits: ImageLimits(pixels: area)) == nil) == isReadable)
    let error = try #require(failure(bytes, limits: ImageLimits(pixels: area - 1)))
    #expect(!isReadable || error.problem.hasSuffix("of 21×13 pixels"))
    #expect(failure(bytes, limits: ImageLimits(fileBytes: 100))?.problem.hasPrefix("the file has ") == true)
  }

  @Test(arguments: [
    "animated_part.webp", "alpha.heic", "444.avif", "animated.gif", "runs4.bmp", "jpeg_cmyk.tif",
  ])
  func fuzzBodyTakesThem(_ name: String) throws {
    Fuzzing.pictures(try FormatFixtures.bytes(name))
  }
}
