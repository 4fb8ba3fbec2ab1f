import Images
import TensorCore
import TestSupport
import Testing

/// What is written as JPEG is read again as nearly the same picture, and never has more bytes than allowed.
@Suite struct EncodingTests {
  private static func gradient(width: Int, height: Int) throws -> RGBImage {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { pixels += [UInt8(x * 255 / width), UInt8(y * 255 / height), 128] }
    }
    return try RGBImage(width: width, height: height, pixels: pixels)
  }

  @Test func survivesARoundTrip() throws {
    let image = try Self.gradient(width: 61, height: 47)
    let bytes = try #require(try JPEGEncoder.encode(image, quality: 95, maximumBytes: 1 << 20))
    let decoded = try ImageDecoder.decode(bytes)
    #expect(decoded.source.format == .jpeg)
    #expect(decoded.image.width == 61 && decoded.image.height == 47)
    let worst = zip(image.pixels, decoded.image.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(worst <= 12)
  }

  @Test func stopsAtTheNumberOfBytes() throws {
    let image = try Self.gradient(width: 64, height: 64)
    let length = try #require(try JPEGEncoder.encode(image, quality: 80, maximumBytes: 1 << 20)).count
    for limit in [0, 1, 100, length - 1] {
      #expect(try JPEGEncoder.encode(image, quality: 80, maximumBytes: limit) == nil, "\(limit) bytes")
    }
    #expect(try JPEGEncoder.encode(image, quality: 80, maximumBytes: length)?.count == length)
  }

  @Test func refusesSidesThatNoJPEGHas() throws {
    let image = try RGBImage(width: 65_501, height: 1, pixels: [UInt8](repeating: 0, count: 65_501 * 3))
    #expect(throws: ApusError.self) { try JPEGEncoder.encode(image, quality: 80, maximumBytes: 1 << 20) }
  }

  @Test(arguments: [(1000, 20), (20, 1000), (31, 31), (1, 1), (192, 192)])
  func thumbnailsKeepTheShapeAndFit(_ width: Int, _ height: Int) throws {
    var random = SeededRandom(seed: 11)
    let image = try RGBImage(width: width, height: height, pixels: random.bytes(width * height * 3))
    let thumbnail = try Thumbnail(of: image, side: 96, maximumBytes: 4000)
    #expect(thumbnail.bytes.count <= 4000)
    #expect(max(thumbnail.width, thumbnail.height) == min(max(width, height), 96))
    let decoded = try ImageDecoder.decode(thumbnail.bytes).image
    #expect(decoded.width == thumbnail.width && decoded.height == thumbnail.height)
  }

  @Test func thumbnailsThatCannotFitAreRefused() throws {
    let image = try Self.gradient(width: 200, height: 200)
    #expect(throws: ApusError.self) { try Thumbnail(of: image, side: 96, maximumBytes: 100) }
    #expect(throws: ApusError.self) { try Thumbnail(of: image, side: 0, maximumBytes: 4000) }
  }
}
