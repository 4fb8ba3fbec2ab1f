import Apus
import Images
import TestSupport
import Testing

/// Fast decoding costs large JPEG files a little accuracy, and all others nothing.
@Suite struct PictureDecodingTests {
  /// Waves, with sides of many times a model's input.
  private static func waves(_ width: Int, _ height: Int) throws -> RGBImage {
    let pixels = (0..<(width * height * 3)).map { index -> UInt8 in
      let x = index / 3 % width, y = index / 3 / width
      return UInt8(min(abs((x * (index % 3 + 1) + y * y / 40) / 5 % 510 - 255), 255))
    }
    return try RGBImage(width: width, height: height, pixels: pixels)
  }

  private func embed(_ picture: Picture, _ decoding: PictureDecoding) throws -> Embedding {
    let path = Checkout.modelFolder("clip-vision")
    return try ImageEmbedder(path, options: .init(decoding: decoding)).blocking.embed(picture)
  }

  @Test func largeJPEGsMoveALittle() throws {
    let bytes = try #require(
      try JPEGEncoder.encode(try Self.waves(900, 700), quality: 90, maximumBytes: 1 << 22))
    let exact = try embed(Picture(bytes), .exact), fast = try embed(Picture(bytes), .fast)
    #expect(exact != fast)
    #expect(exact.cosine(fast) > 0.999)
  }

  @Test func othersStay() throws {
    let small = try #require(
      try JPEGEncoder.encode(try Self.waves(60, 50), quality: 90, maximumBytes: 1 << 22))
    #expect(try embed(Picture(small), .exact) == embed(Picture(small), .fast))
    let pixels = Picture(try Self.waves(900, 700))
    #expect(try embed(pixels, .exact) == embed(pixels, .fast))
  }

  @Test func metadataComesWithThePicture() throws {
    let path = Checkout.fixture("images/metadata/little_endian.jpg").path
    let metadata = try Picture(path).metadata()
    #expect(metadata.camera == "Kleine Kamera K 1" && metadata.taken?.year == 2023)
    #expect(throws: ApusError.self) { try Picture(try Self.waves(8, 8)).metadata() }
    #expect(throws: ApusError.self) { try Picture("/nonexistent.jpg").metadata() }
  }
}
