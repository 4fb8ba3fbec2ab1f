import Images
import TensorCore
import Testing

@testable import Formats

/// ImageMagick keeps EXIF data of a PNG file in a text chunk, which Pillow's `ImageOps.exif_transpose` heeds.
@Suite struct PNGTextTests {
  /// A big-endian directory with the orientation alone.
  private func exif(_ orientation: UInt8) -> [UInt8] {
    Array("Exif\0\0MM".utf8) + [
      0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
    ]
  }

  private func text(_ exif: [UInt8]) -> String {
    let digits = exif.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    // Lines of 36 bytes, as ImageMagick breaks them.
    let lines = stride(from: 0, to: digits.count, by: 36).map {
      digits[$0..<min($0 + 36, digits.count)].joined()
    }
    return "\nexif\n      \(exif.count)\n\(lines.joined(separator: "\n"))\n"
  }

  private func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let words = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let body = Array(type.utf8) + content
    return words(UInt32(content.count)) + body + words(CRC32.checksum(body))
  }

  /// A zlib stream of one stored block.
  private func packed(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let low = UInt8(truncatingIfNeeded: bytes.count), high = UInt8(truncatingIfNeeded: bytes.count >> 8)
    return [0x78, 0x01, 1, low, high, ~low, ~high] + bytes + [0, 0, 0, 0]
  }

  /// The orientation of a picture with these chunks behind its header, or before its end.
  private func orientation(_ chunks: [UInt8], atEnd: Bool = false) throws -> Orientation {
    var bytes = try PictureFixtures.bytes("rgb8.png")
    bytes.insert(contentsOf: chunks, at: atEnd ? bytes.count - 12 : 33)
    let decoded = try ImageDecoder.decode(bytes)
    #expect(decoded.source.damage == nil)
    return decoded.source.orientation
  }

  private static let name = Array("Raw profile type exif\0".utf8)

  @Test(arguments: [2, 6, 8] as [UInt8], [false, true]) func everyKindOfText(_ value: UInt8, _ atEnd: Bool)
    throws
  {
    let text = text(exif(value)), wanted = try #require(Orientation(rawValue: Int(value)))
    let chunks = [
      chunk("tEXt", Self.name + text.utf8), chunk("zTXt", Self.name + [0] + packed(text)),
      chunk("iTXt", Self.name + [0, 0] + Array("en\0name\0".utf8) + text.utf8),
      chunk("iTXt", Self.name + [1, 0, 0, 0] + packed(text)),
    ]
    for chunk in chunks { #expect(try orientation(chunk, atEnd: atEnd) == wanted) }
    // The last of several counts; an eXIf chunk counts more than all of them.
    #expect(try orientation(chunk("tEXt", Self.name + self.text(exif(3)).utf8) + chunks[1]) == wanted)
    #expect(try orientation(chunks[0] + chunk("eXIf", Array(exif(5).dropFirst(6)))) == .transposed)
  }

  @Test func theDirectionIsApplied() throws {
    let plain = try ImageDecoder.decode(try PictureFixtures.bytes("rgb8.png")).image
    var bytes = try PictureFixtures.bytes("rgb8.png")
    bytes.insert(contentsOf: chunk("tEXt", Self.name + text(exif(6)).utf8), at: 33)
    #expect(try ImageDecoder.decode(bytes).image == Orientation.quarterTurnClockwise.applied(to: plain))
  }

  @Test func whatMakesNoSenseIsUpright() throws {
    let good = text(exif(6))
    let odd = [
      chunk("tEXt", Self.name), chunk("tEXt", Array("Raw profile type exif".utf8)),
      chunk("tEXt", Self.name + good.dropLast(2).utf8), chunk("tEXt", Self.name + "\nexif\n 4\nzzzz\n".utf8),
      chunk("tEXt", Array("Raw profile type xmp\0".utf8) + good.utf8),
      chunk("zTXt", Self.name + [1] + packed(good)), chunk("zTXt", Self.name + [0, 0x78, 0x01, 0xFF]),
      chunk("zTXt", Self.name + [0]), chunk("iTXt", Self.name + [0]),
      chunk("iTXt", Self.name + [1, 1, 0, 0]),
    ]
    for chunk in odd { #expect(try orientation(chunk) == .upright) }
  }
}
