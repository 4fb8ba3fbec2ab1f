import CLibrary

/// Reading and writing of open files. One that this process shares with others may be set not to wait (`O_NONBLOCK`), as
/// some programs leave a terminal or a pipe; here it is waited for all the same.
package enum Descriptor {
  /// - Returns: whether all was written; `errno` says why not.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    var written = 0
    while written < bytes.count {
      let count = CLibrary.write(descriptor, start + written, bytes.count - written)
      if count < 0, goesOn(descriptor, after: POLLOUT) { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Reads what there is, once there is something.
  /// - Returns: the number of bytes; 0 at the end, and -1 when nothing can be read: `errno` says why.
  package static func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, goesOn(descriptor, after: POLLIN) { continue }
      return count
    }
  }

  /// Whether a call that failed is to be made again, by `errno`: it was interrupted, or would have had to wait for
  /// `events`, which then came.
  private static func goesOn(_ descriptor: CInt, after events: CInt) -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN else { return false }
    var state = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
    return poll(&state, 1, -1) > 0 || errno == EINTR
  }
}
