import CLibrary
import Images
import JSONCoding
import TensorCore

/// Google Takeout's JSON file beside a photograph: when and where it was taken, which the photograph itself may have lost.
struct TakeoutRecord: Sendable, Equatable {
  /// Seconds since 1970, in UTC.
  let taken: Int?
  let place: PicturePlace?

  /// - Returns: nil for bytes that are no such file, or say neither.
  init?(_ bytes: [UInt8]) {
    guard let record = try? JSONValue.parse(bytes[...]) else { return nil }
    let seconds = record["photoTakenTime"]?["timestamp"].flatMap { $0.string.flatMap { Int($0) } ?? $0.int }
    taken = seconds.flatMap { Self.times.contains($0) ? $0 : nil }
    place = ["geoData", "geoDataExif"].lazy.compactMap { Self.place(record[ExactText($0)]) }.first
    if taken == nil, place == nil { return nil }
  }

  /// The years 1 to 9999.
  private static let times = -62_135_596_800...253_402_300_799

  /// Nil at 0° N 0° E, which is written where nothing is known.
  private static func place(_ value: JSONValue?) -> PicturePlace? {
    guard let latitude = value?["latitude"]?.double, let longitude = value?["longitude"]?.double,
      latitude != 0 || longitude != 0
    else { return nil }
    return PicturePlace(latitude: latitude, longitude: longitude)
  }

  /// The record of a photograph; nil where there is none beside it.
  init?(of path: String) {
    let folder = FileName.folder(of: path)
    for name in Self.names(for: FileName.last(of: path)) {
      let file = folder.isEmpty ? name : "\(folder)/\(name)"
      if let bytes = try? FileBytes.read(file, limit: Self.mostBytes), let record = TakeoutRecord(bytes) {
        self = record
        return
      }
    }
    return nil
  }

  /// A record has a few hundred bytes.
  private static let mostBytes = 1 << 20
}

extension TakeoutRecord {
  /// The names that the record of a photograph may have. Takeout cuts what stands before `.json` to 46 characters; the number
  /// that tells photographs of one name apart stands behind that; an edited copy has the record of the photograph.
  static func names(for photograph: String) -> [String] {
    let (stem, ending) = divided(photograph)
    let (plain, number) = withoutNumber(stem)
    var names: [String] = []
    for stem in [plain] + (original(of: plain).map { [$0] } ?? []) {
      for further in [".supplemental-metadata", ""] {
        names.append(cut(stem + ending + further) + number + ".json")
      }
    }
    // A photograph whose own name ends with a number in brackets.
    if !number.isEmpty {
      for further in [".supplemental-metadata", ""] { names.append(cut(photograph + further) + ".json") }
    }
    return names
  }

  private static let longest = 46

  /// The endings that Google Photos adds to the names of edited copies, by language.
  private static let edits = [
    "-edited", "-bearbeitet", "-modifié", "-editado", "-editada", "-modificato", "-bewerkt", "-edytowane",
    "-redigeret",
  ]

  /// The photograph that a name is an edited copy of; nil for others.
  private static func original(of stem: String) -> String? {
    for edit in edits where stem.utf8.count > edit.utf8.count {
      let rest = stem.utf8.dropLast(edit.utf8.count)
      if stem.utf8[rest.endIndex...].elementsEqual(edit.utf8) { return String(rest) }
    }
    return nil
  }

  private static func cut(_ name: String) -> String {
    String(decoding: name.utf16.prefix(longest), as: UTF16.self)
  }

  /// The name before its ending, and the ending with its full stop.
  private static func divided(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// `IMG_1` and `(2)` of `IMG_1(2)`.
  private static func withoutNumber(_ stem: String) -> (plain: String, number: String) {
    guard stem.utf8.last == UInt8(ascii: ")"), let open = stem.utf8.lastIndex(of: UInt8(ascii: "(")) else {
      return (stem, "")
    }
    let digits = stem.utf8[stem.utf8.index(after: open)...].dropLast()
    guard (1...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return (stem, "")
    }
    return (String(stem[..<open]), String(stem[open...]))
  }
}
