import Foundation
import Images
import TestSupport

/// What Pillow, TensorFlow and NumPy make of pictures, written by `Tools/fixtures/images/make.py`; the
/// versions stand in the JSON files.
struct PictureFixtures: Decodable {
  let versions: [String: String]
  let normalizations: [String: String]?
  let pictures: [String: Expectation]

  /// Digests of the results for one picture.
  struct Expectation: Decodable, Sendable {
    /// Whether Pillow raises an error.
    let refused: Bool?
    let size: [Int]?
    /// `convert("RGB")`.
    let decoded: String?
    /// The same after the EXIF orientation.
    let upright: String?
    /// 224×224 by each filter.
    let resized: [String]?
    /// 97×131 by all filters.
    let uneven: String?
    /// 64×48 from a fractional box by all filters.
    let boxed: String?
    /// 30×8 by all filters, the width first, as Pillow 12 does; for small pictures.
    let widthFirst: String?
    /// Pasted with its alpha over white.
    let overWhite: String?
    /// 200×224 by TensorFlow: bilinear, antialiased, version 1.
    let tensorflow: [String]?
    /// The inputs of 224×224 that all named profiles, and a letterbox, make.
    let profiles: String?
  }

  static let own = load("pictures")
  static let shared = load("shared")

  private static func load(_ name: String) -> PictureFixtures {
    let url = folder.appendingPathComponent("\(name).json")
    do {
      return try JSONDecoder().decode(PictureFixtures.self, from: Data(contentsOf: url))
    } catch {
      // Tests that find no pictures fail on their own count.
      return PictureFixtures(versions: ["error": "\(error)"], normalizations: nil, pictures: [:])
    }
  }

  static let folder = Checkout.fixture("images")

  /// The path of one of the pictures made by the script.
  static func path(_ name: String) -> String {
    folder.appendingPathComponent("pictures").appendingPathComponent(name).path
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
  }
}
