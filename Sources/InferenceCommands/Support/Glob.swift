import CLibrary
import TensorCore

/// Names of files that match a shell pattern, for when no shell has expanded it.
enum Glob {
  static func matches(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard pattern.withFileName({ glob($0, 0, nil, &found) }) == 0, let paths = found.gl_pathv else {
      return []
    }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      paths[index].map { FileName.text(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}
