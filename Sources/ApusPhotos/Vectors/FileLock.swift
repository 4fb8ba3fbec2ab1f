import CLibrary
import TensorCore

/// An open file that this process has locked, until the last reference goes; a file system without locks does without.
final class FileLock {
  enum Kind {
    /// For reading, with others who read.
    case shared
    /// For reading and writing, alone.
    case exclusive
  }

  let path: String
  let descriptor: CInt

  /// Waits for the lock of the file that has this name then.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be opened.
  init(_ path: String, _ kind: Kind) throws(ApusError) {
    self.path = path
    let access = kind == .shared ? O_RDONLY : O_RDWR
    while true {
      let descriptor = path.withFileName { CLibrary.open($0, access | O_CLOEXEC | O_NONBLOCK) }
      guard descriptor >= 0 else { throw Self.failure("cannot be opened", path) }
      while flock(descriptor, kind == .shared ? LOCK_SH : LOCK_EX) != 0, errno == EINTR {}
      var (own, named) = (stat(), stat())
      let isThere = fstat(descriptor, &own) == 0 && path.withFileName { stat($0, &named) } == 0
      // Another file may have taken the name while this one waited.
      if !isThere || own.st_ino == named.st_ino && own.st_dev == named.st_dev {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  deinit { close(descriptor) }

  var byteCount: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// At most so many bytes; fewer at the end of the file.
  func read(_ count: Int, at offset: Int) throws(ApusError) -> [UInt8] {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, done in
      while done < count {
        let got = pread(descriptor, target.baseAddress.map { $0 + done }, count - done, offset + done)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failed = true }
        if got <= 0 { break }
        done += got
      }
    }
    guard !failed else { throw Self.failure("cannot be read", path) }
    return bytes
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ApusError) {
    guard let start = bytes.baseAddress else { return }
    var done = 0
    while done < bytes.count {
      let count = pwrite(descriptor, start + done, bytes.count - done, offset + done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("cannot be written", path) }
      done += count
    }
  }

  /// Makes the file longer, with zeros.
  func extend(to byteCount: Int) throws(ApusError) {
    guard byteCount <= self.byteCount || ftruncate(descriptor, byteCount) == 0 else {
      throw Self.failure("cannot be written", path)
    }
  }

  /// Waits until the disk has what was written.
  func synchronize() throws(ApusError) {
    guard fdatasync(descriptor) == 0 else { throw Self.failure("cannot be written", path) }
  }

  private static func failure(_ problem: String, _ path: String) -> ApusError {
    ApusError(.file, "\(problem): \(String(cString: strerror(errno)))", file: path)
  }
}
