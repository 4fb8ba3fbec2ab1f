import Foundation

/// The shared libraries of the system that this process has loaded.
enum SystemLibraries {
  private static let names = [("OpenBLAS", "libopenblas"), ("libpng", "libpng"), ("libjpeg", "libjpeg")]

  /// The file of each, whose name tells the version.
  static let loaded: [(name: String, path: String)] = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let paths = Set(
      maps.split(separator: "\n").compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } })
    return names.map { name, prefix in
      let path = paths.sorted().first { ($0 as NSString).lastPathComponent.hasPrefix(prefix) }
      return (name, path ?? "part of the program")
    }
  }()
}
