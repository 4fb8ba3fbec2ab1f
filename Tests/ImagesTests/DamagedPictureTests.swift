import Images
import TensorCore
import Testing

/// Data that a codec only guesses the meaning of is decoded, told, and refused on request.
@Suite struct DamagedPictureTests {
  /// A picture whose scan ends in the middle, though the file does not.
  private func damaged(_ name: String) throws -> [UInt8] {
    var bytes = try PictureFixtures.bytes(name)
    bytes.replaceSubrange((bytes.count * 3 / 4)..<(bytes.count * 3 / 4 + 2), with: [0xFF, 0xD9])
    return bytes
  }

  @Test(arguments: ["rgb.jpg", "ycbcr420.jpg", "grey.jpg"]) func corruptDataIsTold(_ name: String) throws {
    let whole = try ImageDecoder.decode(try PictureFixtures.bytes(name))
    #expect(whole.source.damage == nil)
    let decoded = try ImageDecoder.decode(try damaged(name))
    #expect(decoded.source.damage?.contains("JPEG data") == true)
    #expect(decoded.image.width == whole.image.width)
  }

  /// A scan with too much data, another marker than the end's, no end: libjpeg notices behind the last row only.
  @Test(
    arguments: ["rgb.jpg", "ycbcr420.jpg", "grey.jpg"],
    [[UInt8](1...40) + [0xFF, 0xD9], [0xFF, 0x74], [UInt8](1...40)])
  func jpegDataThatDoesNotEndWithItsRowsIsTold(_ name: String, _ end: [UInt8]) throws {
    let whole = try PictureFixtures.bytes(name)
    #expect(whole.suffix(2) == [0xFF, 0xD9])
    let decoded = try ImageDecoder.decode(whole.dropLast(2) + end)
    #expect(decoded.source.damage?.contains("JPEG data") == true)
    #expect(try decoded.image == ImageDecoder.decode(whole).image)
    // Other pictures of a camera follow the end of the first.
    #expect(try ImageDecoder.decode(whole + whole).source.damage == nil)
  }

  @Test func aFileThatGoesOnWronglyAfterItsPixelsIsTold() throws {
    var bytes = try PictureFixtures.bytes("rgb8.png")
    bytes[bytes.count - 1] ^= 1
    #expect(try ImageDecoder.decode(bytes).source.damage?.contains("after its last row") == true)
  }

  @Test func damageIsRefusedOnRequest() throws {
    let strict = ImageOptions(acceptsDamage: false)
    #expect(
      try ImageDecoder.decode(try PictureFixtures.bytes("rgb.jpg"), options: strict).source.damage == nil)
    let error = #expect(throws: ApusError.self) {
      try ImageDecoder.decode(try damaged("rgb.jpg"), options: strict)
    }
    #expect(error?.kind == .image)
    #expect(error?.problem.contains("JPEG data") == true)
  }
}
