import Foundation

/// The shared libraries of the system that this process has loaded.
enum SystemLibraries {
  private static let names = [("OpenBLAS", "libopenblas"), ("libpng", "libpng"), ("libjpeg", "libjpeg")]

  /// The file of each, whose name tells the version.
  static var loaded: [(name: String, path: String)] {
    let paths = mappedFiles.sorted()
    return names.map { name, prefix in
      let path = paths.first { ($0 as NSString).lastPathComponent.hasPrefix(prefix) }
      return (name, path ?? "not found")
    }
  }

  /// Files of the kernel's own have no size, so they are read to the end.
  private static var mappedFiles: Set<String> {
    let handle = FileHandle(forReadingAtPath: "/proc/self/maps")
    guard let data = try? handle?.readToEnd() else { return [] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    return Set(lines.compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } })
  }
}
