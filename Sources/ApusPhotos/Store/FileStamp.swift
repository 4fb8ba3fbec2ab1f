import TensorCore

/// By what a file is taken to be unchanged without being read. A file that is renamed or moved on one disk keeps it.
struct FileStamp: Sendable, Hashable {
  /// Bytes.
  var size: Int
  /// When its content was last written, in nanoseconds since 1970.
  var modified: Int
  var inode: Int
  var device: Int

  init(size: Int, modified: Int, inode: Int, device: Int) {
    (self.size, self.modified, self.inode, self.device) = (size, modified, inode, device)
  }

  init(_ version: FileVersion) {
    self.init(
      size: version.byteCount, modified: version.modified, inode: version.inode, device: version.device)
  }
}
