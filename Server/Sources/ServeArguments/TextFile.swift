import Apus
import CLibrary

/// A text that the command line names by its file, which may be a pipe.
enum TextFile {
  /// The text, without the mark by which some editors begin a file.
  /// - Throws: ``ApusError`` of kind `file`, with what the system says, when it cannot be read; `configuration` when it is
  ///   not UTF-8.
  static func read(_ path: String) throws(ApusError) -> Substring {
    guard !path.isEmpty else { throw ApusError(.file, "the name of a file is empty") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot be opened", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = CLibrary.read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot be read", path) }
      guard count > 0 else { break }
      bytes += part.prefix(count)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ApusError(
        .configuration, "bytes that are not UTF-8 text", file: path, advice: "Save the file as UTF-8.")
    }
    return text.trimmingPrefix("\u{FEFF}")
  }

  /// Refuses a folder, and a file that cannot be opened, which somebody else will read.
  /// - Throws: ``ApusError`` of kind `file`, with what the system says where it cannot be opened.
  static func require(_ path: String) throws(ApusError) {
    guard access(path, R_OK) == 0 else { throw failure("cannot be opened", path) }
    // Only a folder has something behind its slash. A pipe is not opened: what it has can be read once.
    guard access("\(path)/.", F_OK) != 0 else {
      throw ApusError(.file, "it is a folder", expected: "a file", file: path)
    }
  }

  /// What the system says of the last call.
  private static func failure(_ problem: String, _ path: String) -> ApusError {
    ApusError(.file, "\(problem): \(String(cString: strerror(errno)))", file: path)
  }
}
