import CLibrary
import TensorCore

/// Keeps two processes from changing one index at a time; searching needs no lock.
final class StoreLock: Sendable {
  private let descriptor: CInt

  /// - Throws: ``ApusError`` of kind `file` while another process has it, or when the folder cannot be written.
  convenience init(_ folder: String) throws(ApusError) {
    try self.init(
      ifFree: folder,
      else: { () throws(ApusError) in
        throw ApusError(
          .file, "another process is changing this index", file: folder,
          advice: "Wait for it, or stop it; searching is possible meanwhile.")
      })
  }

  /// Waits for the lock; nil if the task is cancelled first.
  /// - Parameter locking: takes the lock of an open file as `flock` does.
  /// - Throws: ``ApusError`` of kind `file` when the folder cannot be written, or its disk has no locks.
  static func whenFree(
    _ folder: String, locking: (CInt) -> CInt = StoreLock.lock
  ) async throws(ApusError) -> StoreLock? {
    while !Task.isCancelled {
      var isTaken = false
      do throws(ApusError) {
        return try StoreLock(
          ifFree: folder, locking: locking,
          else: { () throws(ApusError) in
            isTaken = true
            throw ApusError(.file, "another process has it", file: folder)
          })
      } catch {
        guard isTaken else { throw error }
      }
      try? await Task.sleep(for: .seconds(2))
    }
    return nil
  }

  /// Takes the lock of an open file if it is free; returns the result of `flock`.
  private static func lock(_ descriptor: CInt) -> CInt { flock(descriptor, LOCK_EX | LOCK_NB) }

  /// - Parameters:
  ///   - locking: takes the lock of an open file as `flock` does.
  ///   - taken: throws what is to be said where another process has it.
  /// - Throws: ``ApusError`` as for ``whenFree(_:locking:)``, and what `taken` throws.
  init(
    ifFree folder: String, locking: (CInt) -> CInt = StoreLock.lock,
    else taken: () throws(ApusError) -> Void
  ) throws(ApusError) {
    let path = "\(folder)/lock"
    let descriptor = path.withFileName { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else {
      throw ApusError(.file, "cannot be written: \(String(cString: strerror(errno)))", file: path)
    }
    self.descriptor = descriptor
    while locking(descriptor) != 0 {
      let reason = errno
      if reason == EINTR { continue }
      guard reason == EAGAIN else {
        throw ApusError(
          .file, "cannot be locked: \(String(cString: strerror(reason)))", file: path,
          advice: "Keep the index on a disk of this computer.")
      }
      try taken()
      return
    }
  }

  /// The system gives it back when a process ends, however it does.
  deinit { close(descriptor) }
}
