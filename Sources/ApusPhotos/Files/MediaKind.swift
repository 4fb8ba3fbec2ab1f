import Images
import TensorCore

/// The kind of a file, by its name.
enum MediaKind: Sendable {
  /// It is indexed.
  case photograph
  /// It is counted, with what else is passed over.
  case video, raw

  /// - Parameter name: as the system gives it, with or without its folders.
  /// - Returns: nil for what is neither.
  init?(_ name: UnsafeRawBufferPointer) {
    if PictureFiles.isPicture(name) {
      self = .photograph
      return
    }
    guard let ending = Self.ending(of: name), let kind = Self.kinds[ending] else { return nil }
    self = kind
  }

  init?(_ path: String) {
    var path = path
    guard let kind = path.withUTF8({ MediaKind(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = kind
  }

  /// Raw photographs with an embedded JPEG that can be found (see ``RawPicture``), and formats of which only the maker knows
  /// where it is.
  private static let kinds: [[UInt8]: MediaKind] = {
    let names: [(String, MediaKind)] = [
      ("nef nrw cr2 cr3 arw sr2 dng pef srw rw2 orf ori raf 3fr", .photograph),
      ("crw x3f mrw dcr kdc erf mef mos iiq rwl srf raw fff cap", .raw),
      ("mov mp4 m4v avi mkv 3gp 3g2 mts m2ts webm mpg mpeg wmv mp vob", .video),
    ]
    var kinds: [[UInt8]: MediaKind] = [:]
    for (endings, kind) in names {
      for ending in endings.split(separator: " ") { kinds[Array(ending.utf8)] = kind }
    }
    return kinds
  }()
  private static let longestEnding = 4

  /// The small letters and digits behind the last full stop of a name; nil where there are none, or nothing stands before it,
  /// or macOS keeps there what it knows of another file.
  private static func ending(of name: UnsafeRawBufferPointer) -> [UInt8]? {
    let last = name.suffix(longestEnding + 2)
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
      name[dot - 1] != UInt8(ascii: "/")
    else { return nil }
    let start = name.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? name.startIndex
    guard !name[start...].starts(with: "._".utf8) else { return nil }
    return name[(dot + 1)...].map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// The ending of a path, in small letters; empty where it has none.
  static func ending(of path: String) -> String {
    var path = path
    return path.withUTF8 { ending(of: UnsafeRawBufferPointer($0)) }.map {
      String(decoding: $0, as: UTF8.self)
    } ?? ""
  }
}
