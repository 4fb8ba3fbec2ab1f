import Images
import TensorCore
import TestSupport
import Testing

/// Decoded and resized pictures are those of Pillow and TensorFlow, byte for byte and float for float.
@Suite struct ParityTests {
  @Test(arguments: PictureFixtures.own.pictures.keys.sorted())
  func ownPicture(_ name: String) throws {
    let expected = try #require(PictureFixtures.own.pictures[name])
    let differences = try PictureParity.differences(PictureFixtures.path(name), expected)
    #expect(differences == [], "\(name)")
  }

  @Test func thereAreFixtures() {
    #expect(PictureFixtures.own.pictures.count > 50, "\(PictureFixtures.own.versions)")
    #expect(PictureFixtures.shared.pictures.count > 400, "\(PictureFixtures.shared.versions)")
  }

  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared data"),
    arguments: PictureFixtures.shared.pictures.keys.sorted())
  func sharedPicture(_ name: String) throws {
    let expected = try #require(PictureFixtures.shared.pictures[name])
    if expected.refused == true {
      #expect(throws: ApusError.self) { try ImageDecoder.decode(contentsOf: SharedData.path(name)) }
    } else {
      let differences = try PictureParity.differences(SharedData.path(name), expected)
      #expect(differences == [], "\(name)")
    }
  }
}
