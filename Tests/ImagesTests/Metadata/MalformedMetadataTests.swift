import FuzzBodies
import Images
import TensorCore
import Testing

/// Whatever bytes stand where metadata should, they end in metadata or a typed error.
@Suite struct MalformedMetadataTests {
  private static let names = [
    "little_endian.jpg", "big_endian.jpg", "piexif.jpg", "chunk.png", "text.png", "lossy.webp", "item.heic",
    "item.avif", "own.tif", "plain.gif", "plain.bmp",
  ]

  private func metadata(_ bytes: [UInt8]) -> PictureMetadata? {
    do throws(ApusError) {
      let metadata = try PictureMetadata(of: bytes)
      #expect(metadata.width > 0 && metadata.height > 0)
      if let place = metadata.place {
        #expect((-90...90).contains(place.latitude) && (-180...180).contains(place.longitude))
        #expect(place.altitude?.isFinite != false)
      }
      #expect(metadata.taken?.secondsSince1970().isFinite != false)
      return metadata
    } catch {
      #expect(error.kind == .image || error.kind == .resources, "\(error)")
      return nil
    }
  }

  /// Every byte is inverted, and a bit of it flipped.
  @Test(arguments: names) func everyByteChanged(_ name: String) throws {
    let bytes = try MetadataFixtures.bytes(name)
    guard let whole = metadata(bytes) else { return }
    var changes = 0
    for index in bytes.indices {
      for mask in [UInt8(0xFF), 1 << UInt8(index % 8)] {
        var changed = bytes
        changed[index] ^= mask
        if metadata(changed) != whole { changes += 1 }
      }
    }
    #expect(changes > 0, "changes to the header must be noticed")
  }

  @Test(arguments: names) func cutAtEveryByte(_ name: String) throws {
    let bytes = try MetadataFixtures.bytes(name)
    for count in bytes.indices { _ = metadata(Array(bytes.prefix(count))) }
  }

  /// Damage inside EXIF data costs no more than what it says.
  @Test(arguments: ["little_endian.jpg", "big_endian.jpg"]) func damagedExifKeepsTheSides(_ name: String)
    throws
  {
    let bytes = try MetadataFixtures.bytes(name)
    let start = try #require(bytes.firstRange(of: Array("Exif\0\0".utf8))).upperBound
    let end = try #require(bytes.firstRange(of: [0xFF, 0xDB])).lowerBound
    for index in start..<end {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        let left = try #require(metadata(changed), "byte \(index)")
        #expect([left.width, left.height].sorted() == [16, 24])
      }
    }
  }

  @Test(arguments: names) func fuzzBodyTakesThem(_ name: String) throws {
    Fuzzing.metadata(try MetadataFixtures.bytes(name))
  }

  @Test func exifInSegments() throws {
    // A text of 1000 bytes far behind the first 64 KiB.
    let text = 130_000
    let entries: [UInt8] =
      [1, 0, 0x0F, 0x01, 2, 0, 0xE8, 3, 0, 0] + (0..<4).map { UInt8(text >> (8 * $0) & 0xFF) }
    let head = [0x49, 0x49, 42, 0, 8, 0, 0, 0] + entries
    let exif = head + [UInt8](repeating: 0, count: text - head.count) + [UInt8](repeating: 0x61, count: 1000)
    #expect(try PictureMetadata(of: Fuzzing.jpeg(exif: exif)).make == String(repeating: "a", count: 1000))
  }
}
