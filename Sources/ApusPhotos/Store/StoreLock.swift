import Glibc
import TensorCore

/// Keeps two processes from changing one index at a time; searching needs no lock.
final class StoreLock: Sendable {
  private let descriptor: CInt

  /// - Throws: ``ApusError`` of kind `file` while another process has it, or when the folder cannot be written.
  init(_ folder: String) throws(ApusError) {
    let path = "\(folder)/lock"
    let descriptor = path.withFileName { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else {
      throw ApusError(.file, "cannot be written: \(String(cString: strerror(errno)))", file: path)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw ApusError(
        .file, "another process is changing this index", file: folder,
        advice: "Wait for it, or stop it; searching is possible meanwhile.")
    }
    self.descriptor = descriptor
  }

  /// Whether another process has it now.
  static func isTaken(_ folder: String) -> Bool {
    (try? StoreLock(folder)) == nil && FileSystem.isFile("\(folder)/lock")
  }

  /// The system gives it back when a process ends, however it does.
  deinit { close(descriptor) }
}
