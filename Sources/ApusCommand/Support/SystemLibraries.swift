import TensorCore

/// The libraries of the system that this process uses.
enum SystemLibraries {
  private static let names = [("OpenBLAS", "libopenblas"), ("libpng", "libpng"), ("libjpeg", "libjpeg")]

  /// The file of each, whose name tells the version.
  static var loaded: [(name: String, path: String)] {
    let paths = mappedFiles.sorted()
    return names.map { name, prefix in
      let path = paths.first { FileName.last(of: $0).hasPrefix(prefix) }
      return (name, path ?? (name == "OpenBLAS" ? "not found" : "part of this program"))
    }
  }

  private static var mappedFiles: Set<String> {
    let lines = (KernelFile.text("/proc/self/maps") ?? "").split(separator: "\n")
    return Set(lines.compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } })
  }
}
