import CLibrary
import TensorCore

/// Pictures in folders, told by their names.
package enum PictureFiles {
  /// Endings of names, those of one format in a row.
  private static let endings = [
    "jpg", "jpeg", "jpe", "jfif", "png", "webp", "heic", "heif", "hif", "avif", "gif", "bmp", "dib", "tif",
    "tiff",
  ]
  /// Endings as numbers, a byte for each letter.
  private static let known = Set(endings.map { $0.utf8.reduce(0 as UInt64) { $0 << 8 | UInt64($1) } })
  private static let longestEnding = endings.map(\.utf8.count).max() ?? 0

  /// Whether a file, named with or without its folders, has the ending of a picture.
  package static func isPicture(_ path: String) -> Bool {
    var path = path
    return path.withUTF8 { path in isPicture(UnsafeRawBufferPointer(path)) }
  }

  /// The same for a name as the system gives it. `._IMG_1.jpg` has what macOS knows about `IMG_1.jpg` beside it, where
  /// the disk has no place for that, and is no picture.
  package static func isPicture(_ path: UnsafeRawBufferPointer) -> Bool {
    var ending: UInt64 = 0
    for (length, byte) in path.reversed().prefix(longestEnding + 1).enumerated() {
      guard byte != UInt8(ascii: ".") else {
        return known.contains(ending) && isName(path.dropLast(length + 1))
      }
      // No name has it, and it would leave the number as it is.
      guard byte != 0 else { return false }
      let small = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      ending |= UInt64(small) << (8 * length)
    }
    return false
  }

  /// Whether a name stands before the full stop of an ending, and it is not one of those.
  private static func isName(_ path: Slice<UnsafeRawBufferPointer>) -> Bool {
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
    let name = path[start...]
    return !name.isEmpty && !name.starts(with: "._".utf8)
  }

  /// The names of pictures right in a folder, sorted by their bytes.
  package static func names(in folder: String) -> [String] {
    (FileSystem.names(in: folder) ?? []).filter { isPicture($0) && !FileSystem.isFolder("\(folder)/\($0)") }
  }

  /// The paths of pictures in a folder and below, relative to it, sorted by their bytes.
  /// - Throws: ``ApusError`` of kind `file` when a folder cannot be read.
  package static func paths(below folder: String) throws(ApusError) -> [String] {
    pictures(try FileSystem.paths(below: folder), in: folder)
  }

  /// The same as far as folders can be read, and those that cannot.
  package static func found(below folder: String) -> (
    paths: [String], failures: [(folder: String, error: ApusError)]
  ) {
    let (paths, failures) = FileSystem.found(below: folder)
    return (pictures(paths, in: folder), failures)
  }

  private static func pictures(_ paths: [String], in folder: String) -> [String] {
    paths.filter { isPicture($0) && !FileSystem.isFolder("\(folder)/\($0)") }
  }

  /// The error for a folder that has none.
  package static func absent(in folder: String) -> ApusError {
    ApusError(
      .file, "a folder without pictures",
      expected:
        "files named .\(endings.dropLast().joined(separator: ", .")) or .\(endings[endings.count - 1])",
      file: folder)
  }
}
