import CLibrary
import Dispatch
import TensorCore

/// The system's watch of folders. Events are given to a handler on a queue; no thread waits for them.
final class Inotify {
  private let descriptor: CInt
  private let source: any DispatchSourceRead

  /// The watched events: files written and closed, names created, removed and renamed, and the folder's own removal.
  private static let mask =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    | IN_ONLYDIR | IN_EXCL_UNLINK

  /// - Throws: ``ApusError`` of kind `resources` when the system gives no more.
  init(on queue: DispatchQueue, _ handler: @escaping ([InotifyEvent]) -> Void) throws(ApusError) {
    let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
    guard descriptor >= 0 else {
      throw ApusError(
        .resources, "no more watches: \(String(cString: strerror(errno)))",
        advice: errno == EMFILE
          ? "`sysctl fs.inotify.max_user_instances=512` as root raises the limit for a user's programs." : nil
      )
    }
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { handler(Self.read(descriptor)) }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  /// - Parameter followsLink: whether the path may be a link.
  /// - Returns: the number of the watch, the same for the same folder, whatever its path; nil when there can be none,
  ///   and `errno` says why.
  func add(_ path: [UInt8], followsLink: Bool) -> Int32? {
    let mask = Self.mask | (followsLink ? 0 : IN_DONT_FOLLOW)
    let watch = path.inPlace { folder, name in
      guard folder != AT_FDCWD else { return inotify_add_watch(descriptor, name, UInt32(bitPattern: mask)) }
      // Of this call there is none that begins at an open folder.
      let place = "/proc/self/fd/\(folder)/" + String(cString: name)
      return inotify_add_watch(descriptor, place, UInt32(bitPattern: mask))
    }
    return watch >= 0 ? watch : nil
  }

  func remove(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  private static func read(_ descriptor: CInt) -> [InotifyEvent] {
    var events: [InotifyEvent] = []
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while true {
        let count = CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        events += InotifyEvent.events(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
    return events
  }
}
