import Formats
import Glibc
import Images
import TensorCore

/// The samples of a folder, or of one file, that calibration can use, in order.
struct CalibrationFolder {
  /// The folder, or that of the file.
  let path: String
  /// What the caller named.
  let place: String
  /// Paths below the folder, sorted.
  private(set) var pictures: [String] = []
  private(set) var tensors: [String] = []
  /// What stands before the first tab in the lines of `.txt` and `.tsv` files.
  private(set) var texts: [String] = []

  /// Samples that are used, at most: of more files those at equal distances.
  static let limit = 512
  private static let textLimit = 1 << 26

  /// - Throws: ``ApusError`` of kind `file` when it cannot be read or nothing in it is of use.
  init(_ place: String) throws(ApusError) {
    self.place = place
    let names: [String]
    if FileSystem.isFolder(place) {
      path = place
      names = FileSystem.paths(below: place)
    } else {
      guard FileSystem.isFile(place) else {
        throw ApusError(
          .file, "is not there", expected: "a folder or file with samples to calibrate with", file: place)
      }
      let parent = FileName.folder(of: place)
      path = parent.isEmpty ? "." : parent
      names = [FileName.last(of: place)]
    }
    for name in names { try add(name) }
    guard !pictures.isEmpty || !tensors.isEmpty || !texts.isEmpty else {
      throw ApusError(
        .file, "nothing to calibrate with",
        expected: "pictures, .npy files, or .txt or .tsv files with a text on each line",
        file: place)
    }
    texts = Self.spread(texts, limit: Self.limit)
    pictures = Self.spread(pictures, limit: Self.limit)
  }

  private mutating func add(_ name: String) throws(ApusError) {
    switch FileName.ending(of: name) {
    case "npy": tensors.append(name)
    case "txt", "tsv": texts += try Self.texts("\(path)/\(name)")
    case _ where PictureFiles.isPicture(name): pictures.append(name)
    default: break
    }
  }

  private static func texts(_ path: String) throws(ApusError) -> [String] {
    let content = String(decoding: try FileBytes.read(path, limit: textLimit), as: UTF8.self)
    return content.split(whereSeparator: \.isNewline)
      .map { String($0.prefix { $0 != "\t" }) }
      .filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// So many of the items, at equal distances.
  static func spread(_ items: [String], limit: Int) -> [String] {
    guard items.count > limit else { return items }
    return (0..<limit).map { items[$0 * items.count / limit] }
  }
}
