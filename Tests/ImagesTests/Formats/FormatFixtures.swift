import Formats
import Foundation
import Images
import TensorCore
import TestSupport

/// What Pillow and pillow-heif make of pictures in formats other than PNG and JPEG, written by
/// `Tools/fixtures/images/make_formats.py`; the versions stand in the JSON files.
struct FormatFixtures: Decodable {
  let versions: [String: String]
  let pictures: [String: Expectation]

  struct Expectation: Decodable, Sendable {
    /// Whether Pillow raises an error.
    let refused: Bool?
    let size: [Int]?
    /// The digest of RGB, upright.
    let upright: String?
    /// The same pasted with its alpha over white.
    let overWhite: String?
    /// The bytes of RGB, upright, deflated, in base64.
    let pixels: String?
  }

  static let own = load("formats")
  static let shared = load("formats_shared")

  private static func load(_ name: String) -> FormatFixtures {
    let url = Checkout.fixture("images").appendingPathComponent("\(name).json")
    do {
      return try JSONDecoder().decode(FormatFixtures.self, from: Data(contentsOf: url))
    } catch {
      // Tests that find no pictures fail on their own count.
      return FormatFixtures(versions: ["error": "\(error)"], pictures: [:])
    }
  }

  static func path(_ name: String) -> String {
    Checkout.fixture("images/formats").appendingPathComponent(name).path
  }

  static func bytes(_ name: String) throws -> [UInt8] { try FileBytes.read(path(name), limit: 1 << 20) }

  /// The names of own pictures of a format.
  static func names(_ ending: String) -> [String] {
    own.pictures.keys.filter { $0.hasSuffix("." + ending) }.sorted()
  }

  /// The names of all files of a format, damaged ones too.
  static func allNames(_ ending: String) -> [String] {
    (FileSystem.names(in: Checkout.fixture("images/formats").path) ?? []).filter {
      $0.hasSuffix("." + ending)
    }
  }
}

extension FormatFixtures.Expectation {
  /// How one picture differs from what the libraries make of it; empty where it does not.
  func differences(_ path: String, tolerance: Int) throws -> [String] {
    let decoded = try ImageDecoder.decode(contentsOf: path).image
    var differences: [String] = []
    if let size, size != [decoded.width, decoded.height] {
      return ["\(decoded.width)×\(decoded.height) pixels instead of \(size)"]
    }
    if let upright, PictureDigest.of(decoded.pixels) != upright { differences.append("RGB") }
    if let overWhite {
      let white = try ImageDecoder.decode(
        contentsOf: path, options: ImageOptions(transparency: .over(.white)))
      if PictureDigest.of(white.image.pixels) != overWhite { differences.append("over white") }
    }
    if let pixels {
      let packed = [UInt8](Data(base64Encoded: pixels) ?? Data())
      let wanted = try Inflate.inflate(packed[...], limit: 1 << 20)
      let largest = zip(decoded.pixels, wanted).map { abs(Int($0) - Int($1)) }.max() ?? 0
      if wanted.count != decoded.pixels.count || largest > tolerance {
        differences.append("RGB by up to \(largest)")
      }
    }
    return differences
  }
}
