import Images
import TensorCore
import Testing

/// The EXIF orientation is found, applied, ignored on request, and disbelieved when it is not one of eight.
@Suite struct OrientationTests {
  @Test(arguments: 1...8)
  func statedOrientation(_ value: Int) throws {
    let path = PictureFixtures.path("oriented\(value).jpg")
    let upright = try ImageDecoder.decode(contentsOf: path)
    let stored = try ImageDecoder.decode(contentsOf: path, options: ImageOptions(appliesOrientation: false))
    #expect(upright.source.orientation.rawValue == value)
    #expect(upright.source.isReoriented == (value != 1))
    #expect(!stored.source.isReoriented)
    #expect(upright.source.storedWidth == 37 && upright.source.storedHeight == 29)
    #expect(upright.image.width == (value >= 5 ? 29 : 37))
    #expect(stored.image.width == 37)
    // Undoing an orientation is applying its inverse; only the quarter turns are not their own.
    let inverse = [6: Orientation.quarterTurnAnticlockwise, 8: .quarterTurnClockwise][value]
    let own = try #require(Orientation(rawValue: value))
    #expect((inverse ?? own).applied(to: upright.image) == stored.image)
  }

  @Test func pngChunk() throws {
    #expect(try ImageDecoder.decode(contentsOf: PictureFixtures.path("oriented.png")).image.width == 29)
  }

  @Test(arguments: [
    "oriented0.jpg", "oriented9.jpg", "exif_past_end.jpg", "exif_cut.jpg", "exif_order.jpg", "exif_text.jpg",
    "exif_huge.jpg", "exif_many.jpg", "exif_empty.jpg",
  ])
  func invalidIsIgnored(_ name: String) throws {
    let source = try ImageDecoder.decode(contentsOf: PictureFixtures.path(name)).source
    #expect(source.orientation == .upright)
    #expect(!source.isReoriented)
  }
}
