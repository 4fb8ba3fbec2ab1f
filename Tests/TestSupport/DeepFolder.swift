import Foundation

extension TemporaryFolder {
  /// Writes a file in folders of 240 bytes each, so many that the system takes no path to it at once.
  /// - Returns: its path from here.
  package func writeDeep(_ name: String, _ bytes: [UInt8]) throws -> String {
    let part = String(repeating: "d", count: 240)
    let depth = Int(PATH_MAX) / 240 + 2
    var folder = open(path, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    for _ in 0..<depth {
      guard mkdirat(folder, part, 0o777) == 0 || errno == EEXIST else { throw POSIXError(.EIO) }
      let inner = openat(folder, part, O_RDONLY | O_DIRECTORY)
      close(folder)
      folder = inner
    }
    let file = openat(folder, name, O_WRONLY | O_CREAT, 0o666)
    guard file >= 0 else { throw POSIXError(.EIO) }
    try FileHandle(fileDescriptor: file, closeOnDealloc: true).write(contentsOf: bytes)
    return String(repeating: part + "/", count: depth) + name
  }
}
