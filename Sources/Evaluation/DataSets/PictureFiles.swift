import Foundation
import TensorCore

/// Pictures in folders, told by their names.
enum PictureFiles {
  private static let extensions: Set = ["jpg", "jpeg", "jpe", "jfif", "png"]

  static func isPicture(_ name: String) -> Bool {
    extensions.contains((name as NSString).pathExtension.lowercased())
  }

  /// The names of pictures right in a folder, sorted by their bytes.
  static func names(in folder: String) -> [String] {
    entries(folder).filter { isPicture($0) && isFile(folder, $0) }
  }

  /// The names of folders right in a folder, sorted by their bytes; those that begin with a full stop are hidden.
  static func folders(in folder: String) -> [String] {
    entries(folder).filter { !$0.hasPrefix(".") && isFolder("\(folder)/\($0)") }
  }

  /// The paths of pictures in a folder and below, relative to it, sorted by their bytes.
  static func paths(below folder: String) -> [String] {
    let enumerator = FileManager.default.enumerator(atPath: folder)
    var paths: [String] = []
    while let path = enumerator?.nextObject() as? String {
      if isPicture(path), isFile(folder, path) { paths.append(path) }
    }
    return paths.sorted(by: isBefore)
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func isFile(_ folder: String, _ name: String) -> Bool { !isFolder("\(folder)/\(name)") }

  private static func entries(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted(by: isBefore)
  }

  /// The order of bytes, which is that of Python and of most tools that number classes by their folders.
  static func isBefore(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
