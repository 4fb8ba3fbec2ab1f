import Foundation
import Images
import TensorCore
import TestSupport

/// Pictures with EXIF data, and what is to be known of each, written by `Tools/fixtures/images/make_metadata.py`, which has
/// Pillow agree.
struct MetadataFixtures: Decodable {
  let versions: [String: String]
  let pictures: [String: Expectation]

  struct Expectation: Decodable, Sendable {
    let format: String
    let width, height, orientation: Int
    let make, model, lens: String?
    let taken: Time?
    /// Since 1970, with UTC where the file has no zone.
    let seconds: Double?
    let place: Place?
  }

  struct Time: Decodable, Equatable {
    let year, month, day, hour, minute, second, nanosecond: Int
    let zone: Int?
  }

  struct Place: Decodable {
    let latitude, longitude: Double
    let altitude: Double?
  }

  static let all: MetadataFixtures = {
    do {
      return try JSONDecoder().decode(
        MetadataFixtures.self, from: Data(contentsOf: Checkout.fixture("images/metadata.json")))
    } catch {
      // Tests that find no pictures fail on their own count.
      return MetadataFixtures(versions: ["error": "\(error)"], pictures: [:])
    }
  }()

  static func bytes(_ name: String) throws -> [UInt8] {
    try FileBytes.read(Checkout.fixture("images/metadata/\(name)").path, limit: 1 << 20)
  }

  /// Whether the library that the file needs is here.
  static func isReadable(_ name: String) -> Bool {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let library = PictureLibraries.installed.all.first {
      $0.format.rawValue.lowercased().hasPrefix(ending)
    }
    return library?.isPresent ?? true
  }
}

extension MetadataFixtures.Expectation {
  /// How metadata differs from what is expected; empty where it does not.
  func differences(_ metadata: PictureMetadata) -> [String] {
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
      if value != expected { differences.append("\(name) \(value) instead of \(expected)") }
    }
    compare("format", metadata.format.rawValue, format)
    compare("sides", [metadata.width, metadata.height], [width, height])
    compare("orientation", metadata.orientation.rawValue, orientation)
    compare("make", metadata.make, make)
    compare("model", metadata.model, model)
    compare("lens", metadata.lens, lens)
    let time = metadata.taken.map {
      MetadataFixtures.Time(
        year: $0.year, month: $0.month, day: $0.day, hour: $0.hour, minute: $0.minute, second: $0.second,
        nanosecond: $0.nanosecond, zone: $0.zone)
    }
    compare("time", time, taken)
    if let seconds { compare("seconds", metadata.taken?.secondsSince1970(), seconds) }
    func isNear(_ value: Double?, _ expected: Double?) -> Bool {
      guard let value, let expected else { return value == nil && expected == nil }
      // The sum of three parts may be rounded in another order.
      return abs(value - expected) < 1e-9
    }
    if !isNear(metadata.place?.latitude, place?.latitude)
      || !isNear(metadata.place?.longitude, place?.longitude)
      || !isNear(metadata.place?.altitude, place?.altitude)
    {
      differences.append(
        "place \(String(describing: metadata.place)) instead of \(String(describing: place))")
    }
    return differences
  }
}
