import TensorCore

/// By what a file is taken to be unchanged without being read. One that is renamed or moved on its disk keeps it, and so
/// it does when the disk has another number after the computer was started anew.
struct FileStamp: Sendable, Hashable {
  /// Bytes.
  var size: Int
  /// When its content was last written, in nanoseconds since 1970.
  var modified: Int
  var inode: Int

  init(size: Int, modified: Int, inode: Int) {
    (self.size, self.modified, self.inode) = (size, modified, inode)
  }

  init(_ version: FileVersion) {
    self.init(size: version.byteCount, modified: version.modified, inode: version.inode)
  }
}
