import Foundation
import FuzzBodies
import Images
import TensorCore
import TestSupport
import Testing

/// What a picture file says of itself is what Pillow reads, in every format, and as far as it makes sense.
@Suite struct PictureMetadataTests {
  @Test func thereAreFixtures() {
    #expect(MetadataFixtures.all.pictures.count > 100, "\(MetadataFixtures.all.versions)")
  }

  @Test(arguments: MetadataFixtures.all.pictures.keys.sorted()) func asExpected(_ name: String) throws {
    guard MetadataFixtures.isReadable(name) else { return }
    let metadata = try PictureMetadata(of: try MetadataFixtures.bytes(name))
    #expect(MetadataFixtures.all.pictures[name]?.differences(metadata) == [])
  }

  /// The sides and the orientation are those that decoding finds.
  @Test(arguments: [
    "pictures/oriented6.jpg", "pictures/oriented.png", "pictures/exif_many.jpg", "pictures/cmyk.jpg",
    "pictures/rgb8_interlaced.png", "formats/oriented6.tif", "formats/tiles_rgb8.tif", "formats/big.tif",
    "formats/oriented6.webp", "formats/animated_part.webp", "formats/oriented5.heic", "formats/grid.heic",
    "formats/oriented5_444.avif", "formats/oriented3_444.avif", "formats/larger_screen.gif",
    "formats/bits1.bmp", "formats/palette4_top_down.bmp",
  ])
  func agreesWithDecoding(_ name: String) throws {
    let path = Checkout.fixture("images/\(name)").path
    guard MetadataFixtures.isReadable(name) else { return }
    let metadata = try PictureMetadata(contentsOf: path)
    let decoded = try ImageDecoder.decode(contentsOf: path)
    #expect(metadata.width == decoded.image.width && metadata.height == decoded.image.height)
    #expect(metadata.orientation == decoded.source.orientation && metadata.format == decoded.source.format)
  }

  /// A tenth of a file is enough, as its pixels are not looked at.
  @Test func pixelsAreNotRead() throws {
    let bytes = try PictureFixtures.bytes("bad_huge.jpg")
    let metadata = try PictureMetadata(of: bytes)
    #expect(metadata.width == 65500 && metadata.height == 65500)
    #expect(throws: ApusError.self) { try ImageDecoder.decode(bytes) }
  }

  @Test func whatIsNoPictureIsAnError() {
    func problem(_ bytes: [UInt8]) -> String? {
      do throws(ApusError) {
        _ = try PictureMetadata(of: bytes)
        return nil
      } catch {
        return error.problem
      }
    }
    #expect(problem([]) == "the file is empty")
    #expect(problem(Array("Dear reader".utf8))?.hasPrefix("not a picture") == true)
    #expect(problem([0xFF, 0x0A, 0, 0])?.contains("JPEG XL") == true)
    #expect(problem([0xFF, 0xD8, 0xFF]) == "the JPEG data ends before the picture does")
    #expect(throws: ApusError.self) { try PictureMetadata(contentsOf: "/nonexistent/picture.png") }
  }

  @Test(arguments: [
    ("Canon", "Canon EOS 5D", "Canon EOS 5D"), ("NIKON CORPORATION", "NIKON D90", "NIKON D90"),
    ("Apple", "iPhone 15", "Apple iPhone 15"), ("Apple", nil, "Apple"), (nil, "Pixel 8", "Pixel 8"),
    (nil, nil, nil),
  ])
  func camera(_ make: String?, _ model: String?, _ camera: String?) throws {
    let base = try PictureMetadata(of: Fuzzing.jpeg(exif: []))
    var fields = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(base)) as? [String: Any])
    fields["make"] = make
    fields["model"] = model
    let metadata = try JSONDecoder().decode(
      PictureMetadata.self, from: JSONSerialization.data(withJSONObject: fields))
    #expect(metadata.camera == camera)
  }

  @Test func zones() throws {
    func metadata(_ name: String) throws -> PictureTime {
      try #require(try PictureMetadata(of: try MetadataFixtures.bytes(name)).taken)
    }
    // 2024-02-29 12:30:15 in UTC, by GNU date.
    let there = try metadata("time_zone_east.jpg"), nowhere = try metadata("time_plain.jpg")
    #expect(nowhere.secondsSince1970() == 1_709_209_815)
    #expect(nowhere.secondsSince1970(zone: 3600) == 1_709_209_815 - 3600)
    #expect(there.secondsSince1970() == 1_709_209_815 - 19800)
    #expect(there.secondsSince1970(zone: 3600) == there.secondsSince1970())
  }

  @Test(arguments: ["little_endian.jpg", "chunk.png", "item.heic", "plain.gif"])
  func isCodable(_ name: String) throws {
    guard MetadataFixtures.isReadable(name) else { return }
    let metadata = try PictureMetadata(of: try MetadataFixtures.bytes(name))
    #expect(try JSONDecoder().decode(PictureMetadata.self, from: JSONEncoder().encode(metadata)) == metadata)
  }

  @Test(
    arguments: [
      (2024, 2, 29, 0, true), (2023, 2, 29, 0, false), (1900, 2, 29, 0, false), (2000, 2, 29, 0, true),
      (0, 1, 1, 0, false), (9999, 12, 31, 0, true), (10000, 1, 1, 0, false), (.max, 1, 1, 0, false),
      (2024, 4, 31, 0, false), (2024, 13, 1, 0, false), (2024, 1, 0, 0, false), (2024, 1, 1, .max, false),
    ] as [(Int, Int, Int, Int, Bool)])
  func timesThatThereAre(_ year: Int, _ month: Int, _ day: Int, _ zone: Int, _ isOne: Bool) throws {
    #expect((PictureTime(year: year, month: month, day: day, zone: zone) != nil) == isOne)
    let json = """
      {"year":\(year),"month":\(month),"day":\(day),"hour":0,"minute":0,"second":0,"nanosecond":0,"zone":\(zone)}
      """
    #expect(((try? JSONDecoder().decode(PictureTime.self, from: Data(json.utf8))) != nil) == isOne)
  }

  @Test func placesThatThereAre() throws {
    let place = #"{"latitude":90,"longitude":-180}"#, none = #"{"latitude":90.1,"longitude":0}"#
    #expect(try JSONDecoder().decode(PicturePlace.self, from: Data(place.utf8)).latitude == 90)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PicturePlace.self, from: Data(none.utf8))
    }
    #expect(PicturePlace(latitude: .nan, longitude: 0) == nil)
    #expect(PicturePlace(latitude: 0, longitude: 0, altitude: .infinity)?.altitude == nil)
  }

  @Test func missingLibrary() throws {
    let bytes = try MetadataFixtures.bytes("item.heic")
    let error = #expect(throws: ApusError.self) {
      try PictureMetadata(of: bytes, libraries: MissingLibraries.all)
    }
    #expect(error?.problem.hasPrefix("a HEIC picture, and lib") == true)
  }
}
