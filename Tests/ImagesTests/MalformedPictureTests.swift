import FuzzBodies
import Images
import TensorCore
import Testing

/// Broken, cut and hostile pictures end in a typed error that says what is wrong, or in a picture; never in
/// a crash, and never in memory or time beyond the limits.
@Suite struct MalformedPictureTests {
  /// The error for bytes, as text; nil when they decode.
  private func failure(_ bytes: [UInt8], limits: ImageLimits = .standard) -> ApusError? {
    do throws(ApusError) {
      _ = try ImageDecoder.decode(bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  private func failure(_ name: String, limits: ImageLimits = .standard) throws -> ApusError? {
    failure(try PictureFixtures.bytes(name), limits: limits)
  }

  @Test func emptyFile() {
    #expect(failure([])?.problem == "the file is empty")
    #expect(failure([])?.kind == .image)
  }

  @Test func textIsNotAPicture() {
    let text = failure(Array("Dear reader, this is not a picture.".utf8))
    #expect(text?.kind == .image)
    #expect(text?.problem == "not a picture: the first bytes are 44 65 61 72 20 72 65 61")
  }

  @Test(arguments: [
    ("stream", "JPEG XL", [0xFF, 0x0A, 0, 0]), ("boxes", "JPEG XL", [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20]),
    ("boxes", "JPEG 2000", [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20]),
    ("stream", "JPEG 2000", [0xFF, 0x4F, 0xFF, 0x51]),
  ])
  func otherFormatsAreNamed(_ form: String, _ name: String, _ start: [UInt8]) {
    let error = failure(start)
    #expect(error?.problem == "the first bytes are of \(name), which Apus does not read", "\(form)")
    #expect(error?.expected == "PNG, JPEG, WebP, HEIC, AVIF, GIF, BMP or TIFF")
    #expect(error?.advice == "Convert the file to PNG or JPEG.")
  }

  @Test func contentCountsNotTheName() throws {
    #expect(try ImageDecoder.decode(try PictureFixtures.bytes("rgb8.png")).source.format == .png)
    #expect(try ImageDecoder.decode(try PictureFixtures.bytes("rgb.jpg")).source.format == .jpeg)
  }

  @Test func theFileIsNamed() {
    let path = PictureFixtures.path("bad_huge.png")
    #expect(throws: ApusError.self) { try ImageDecoder.decode(contentsOf: path) }
    do throws(ApusError) {
      _ = try ImageDecoder.decode(contentsOf: path)
    } catch {
      #expect(error.file == path)
    }
    do throws(ApusError) {
      _ = try ImageDecoder.decode(contentsOf: "/nonexistent/picture.png")
    } catch {
      #expect(error.kind == .file)
    }
  }

  @Test(arguments: [
    "rgb8.png", "rgb8_interlaced.png", "palette4.png", "grey16.png", "ycbcr420.jpg", "progressive.jpg",
    "cmyk.jpg", "grey.jpg",
  ])
  func cutAtEverySixteenth(_ name: String) throws {
    let bytes = try PictureFixtures.bytes(name)
    for part in 0..<16 {
      let error = try #require(failure(Array(bytes.prefix(bytes.count * part / 16))), "\(part)/16 of \(name)")
      #expect(error.kind == .image)
      if part > 0 {
        #expect(error.problem.hasSuffix("data ends before the picture does"), "\(part)/16: \(error)")
      }
    }
  }

  @Test func hugeHeaders() throws {
    #expect(try failure("bad_huge.png")?.problem == "a PNG of 65535×65535 pixels")
    #expect(try failure("bad_huge.jpg")?.problem == "a JPEG of 65500×65500 pixels")
    #expect(try failure("bad_toobig.jpg")?.kind == .image)
    // A header alone makes nobody allocate, even when the limit would allow it.
    let limits = ImageLimits(pixels: 1 << 33)
    #expect(
      try failure("bad_huge.jpg", limits: limits)?.problem.hasPrefix("a JPEG of 4290250000 pixels in ")
        == true)
    #expect(
      try failure("bad_huge.png", limits: limits)?.problem.hasPrefix("a PNG of 65535×65535 pixels in ")
        == true)
  }

  @Test func limits() throws {
    let area = 37 * 29
    #expect(try failure("rgb8.png", limits: ImageLimits(pixels: area)) == nil)
    #expect(
      try failure("rgb8.png", limits: ImageLimits(pixels: area - 1))?.expected?.contains("\(area - 1)")
        == true)
    #expect(try failure("rgb.jpg", limits: ImageLimits(pixels: area - 1))?.kind == .image)
    #expect(try failure("rgb.jpg", limits: ImageLimits(pixels: -1))?.kind == .image)
    #expect(try failure("rgb.jpg", limits: ImageLimits(fileBytes: 100))?.kind == .image)
    #expect(
      try failure("progressive.jpg", limits: ImageLimits(scans: 2))?.problem == "a JPEG of more than 2 scans")
  }

  @Test func thousandScans() throws {
    let error = try failure("bad_scans.jpg")
    #expect(error?.problem == "a JPEG of more than 100 scans")
    // No command has an option for it.
    #expect(error?.advice?.contains("programs can raise ImageLimits.scans") == true)
  }

  /// 16 MB of zeros in 16 KB of compressed text: the chunk is skipped, not decompressed.
  @Test func compressedTextBomb() throws {
    let bomb = try ImageDecoder.decode(contentsOf: PictureFixtures.path("bomb.png"))
    #expect(bomb.image == (try ImageDecoder.decode(contentsOf: PictureFixtures.path("rgb8.png")).image))
  }

  @Test func wrongChecksum() throws {
    #expect(try failure("bad_crc.png")?.problem.contains("broken PNG data") == true)
  }

  @Test func extremeShapes() throws {
    let tall = try ImageDecoder.decode(contentsOf: PictureFixtures.path("tall.png")).image
    #expect(tall.width == 1 && tall.height == 65535)
    #expect(try ImageDecoder.decode(contentsOf: PictureFixtures.path("one.png")).image.pixels.count == 3)
    let clip = try Preprocessor(.clip, input: TensorType(.float32, try Shape([1, 224, 224, 3])))
    #expect(throws: ApusError.self) {
      try clip.tensor(tall)
    }
  }

  /// Every byte of small pictures is inverted and every bit flipped in turn: a result or an error.
  @Test(arguments: [
    "palette4_interlaced.png", "rgba8.png", "grey16.png", "exif_text.jpg", "oriented6.jpg", "progressive.jpg",
    "cmyk.jpg",
  ])
  func everyByteChanged(_ name: String) throws {
    let bytes = try PictureFixtures.bytes(name)
    var decoded = 0
    for index in bytes.indices {
      for mask in [UInt8(0xFF), 1 << UInt8(index % 8)] {
        var changed = bytes
        changed[index] ^= mask
        if let result = try? ImageDecoder.decode(changed, limits: ImageLimits(pixels: 1 << 20)) {
          decoded += 1
          #expect(result.image.pixels.count == result.image.width * result.image.height * 3)
        }
      }
    }
    #expect(decoded < 2 * bytes.count, "changes to the header must be noticed")
  }

  @Test func fuzzBodyTakesAnything() throws {
    for name in ["rgba8.png", "cmyk.jpg", "bad_scans.jpg", "bad_huge.png"] {
      Fuzzing.pictures(try PictureFixtures.bytes(name))
    }
    Fuzzing.pictures([])
  }
}
