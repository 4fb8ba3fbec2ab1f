import Images
import TensorCore

/// The libraries of the system that this process uses, or would use.
enum SystemLibraries {
  private static let linked = [("OpenBLAS", "libopenblas"), ("libpng", "libpng"), ("libjpeg", "libjpeg")]

  /// The file of each, whose name tells the version; for what is missing, what it would be for.
  static var loaded: [(name: String, path: String)] {
    let optional = PictureLibraries.installed.all
    let present = optional.map(\.isPresent)
    let paths = mappedFiles.sorted().map(\.text)
    func path(_ prefix: String) -> String? { paths.first { FileName.last(of: $0).hasPrefix(prefix) } }
    return linked.map { name, prefix in
      (name, path(prefix) ?? (name == "OpenBLAS" ? "not found" : "part of this program"))
    }
      + zip(optional, present).map { library, isPresent in
        let missing = "not found; to read \(library.format.rawValue), \(library.installation)"
        return (library.name, isPresent ? path(library.name + ".so") ?? "loaded" : missing)
      }
  }

  private static var mappedFiles: Set<ExactText> {
    let lines = (KernelFile.text("/proc/self/maps") ?? "").split(separator: "\n")
    return Set(
      lines.compactMap { line in
        line.utf8.firstIndex(of: UInt8(ascii: "/")).map { ExactText(String(line[$0...])) }
      })
  }
}
