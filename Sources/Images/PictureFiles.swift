import Glibc
import TensorCore

/// Pictures in folders, told by their names.
package enum PictureFiles {
  private static let extensions: Set = ["jpg", "jpeg", "jpe", "jfif", "png"]

  package static func isPicture(_ name: String) -> Bool {
    extensions.contains(FileName.ending(of: name))
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
    ApusError(.file, "a folder without pictures", expected: "files named .jpg, .jpeg or .png", file: folder)
  }
}
