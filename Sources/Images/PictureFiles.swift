import Glibc
import TensorCore

/// Pictures in folders, told by their names.
package enum PictureFiles {
  /// Endings of names, those of one format in a row.
  private static let endings = [
    "jpg", "jpeg", "jpe", "jfif", "png", "webp", "heic", "heif", "hif", "avif", "gif", "bmp", "dib", "tif",
    "tiff",
  ]
  private static let known = Set(endings)

  package static func isPicture(_ name: String) -> Bool {
    known.contains(FileName.ending(of: name))
  }

  /// The names of pictures right in a folder, sorted by their bytes.
  package static func names(in folder: String) -> [String] {
    (FileSystem.names(in: folder) ?? []).filter { isPicture($0) && !FileSystem.isFolder("\(folder)/\($0)") }
  }

  /// The paths of pictures in a folder and below, relative to it, sorted by their bytes.
  package static func paths(below folder: String) -> [String] {
    FileSystem.paths(below: folder).filter { isPicture($0) && !FileSystem.isFolder("\(folder)/\($0)") }
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
