import Foundation
import Images
import TestSupport
import Testing

/// Perceptual hashes are those of `imagehash.phash` of Python, and near for what was made of one picture.
@Suite struct PerceptualHashTests {
  /// Hashes in hexadecimal by the name of the picture, by `Tools/fixtures/images/make_hashes.py`.
  struct Fixtures: Decodable {
    let versions: [String: String]
    let pictures, shared: [String: String]

    static let all: Fixtures = {
      do {
        return try JSONDecoder().decode(
          Fixtures.self, from: Data(contentsOf: Checkout.fixture("images/hashes.json")))
      } catch {
        // Tests that find no pictures fail on their own count.
        return Fixtures(versions: ["error": "\(error)"], pictures: [:], shared: [:])
      }
    }()
  }

  private func hash(_ path: String) throws -> PerceptualHash {
    PerceptualHash(of: try ImageDecoder.decode(contentsOf: path).image)
  }

  private func expected(_ digits: String?) -> PerceptualHash? {
    digits.flatMap { UInt64($0, radix: 16) }.map { PerceptualHash(bits: $0) }
  }

  @Test func thereAreFixtures() {
    #expect(Fixtures.all.pictures.count > 50 && Fixtures.all.shared.count > 200, "\(Fixtures.all.versions)")
  }

  @Test(arguments: Fixtures.all.pictures.keys.sorted()) func ownPicture(_ name: String) throws {
    #expect(try hash(PictureFixtures.path(name)) == expected(Fixtures.all.pictures[name]))
  }

  @Test(.enabled(if: SharedData.isPresent, "no shared data"), arguments: Fixtures.all.shared.keys.sorted())
  func photograph(_ name: String) throws {
    let path = SharedData.path(name)
    #expect(try hash(path) == expected(Fixtures.all.shared[name]))
  }

  @Test func nothingToSeeIsOneBit() throws {
    // Only the mean is above the median of what is not there, in black nothing at all.
    for (grey, bits) in [(UInt8(0), UInt64(0)), (1, 1 << 63), (128, 1 << 63), (255, 1 << 63)] {
      for (width, height) in [(1, 1), (64, 48), (333, 3), (1, 1000)] {
        let pixels = [UInt8](repeating: grey, count: width * height * 3)
        let image = try RGBImage(width: width, height: height, pixels: pixels)
        #expect(PerceptualHash(of: image).bits == bits, "\(grey) in \(width)×\(height)")
      }
    }
  }

  @Test func distanceCountsBits() {
    let none = PerceptualHash(bits: 0), all = PerceptualHash(bits: .max)
    #expect(none.distance(to: all) == 64 && all.distance(to: all) == 0)
    #expect(PerceptualHash(bits: 0b1011).distance(to: PerceptualHash(bits: 0b0001)) == 2)
  }

  @Test func isCodable() throws {
    let hash = PerceptualHash(bits: 0x8123_4567_89AB_CDEF)
    #expect(try JSONDecoder().decode(PerceptualHash.self, from: JSONEncoder().encode(hash)) == hash)
  }

  /// A photograph in a quarter of its sides, written anew, is the same; another is not.
  @Test(.enabled(if: SharedData.isPresent, "no shared data")) func whatWasMadeOfAPhotographIsNear() throws {
    let names = Fixtures.all.shared.keys.sorted().filter { $0.hasPrefix("photo_search") }.prefix(20)
    var hashes: [PerceptualHash] = []
    for name in names {
      let image = try ImageDecoder.decode(contentsOf: SharedData.path(name)).image
      let small = try PillowResize.resize(
        image, width: image.width / 4, height: image.height / 4, filter: .bicubic)
      let written = try #require(try JPEGEncoder.encode(small, quality: 75, maximumBytes: 1 << 20))
      let hash = PerceptualHash(of: image)
      #expect(hash.distance(to: PerceptualHash(of: try ImageDecoder.decode(written).image)) <= 6, "\(name)")
      #expect(hashes.allSatisfy { $0.distance(to: hash) > 6 }, "\(name)")
      hashes.append(hash)
    }
  }
}
