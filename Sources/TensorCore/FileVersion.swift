import CLibrary

/// Which file it is that was opened, and in which state: what the system changes with every write to it, and what
/// a program cannot put back.
package struct FileVersion: Sendable, Hashable {
  package let device: Int
  package let inode: Int
  package let byteCount: Int
  /// When the content was last written, and when content, name or permissions last changed, as ``FileTime`` has them. The
  /// first can be set at will, the second only by the system's clock.
  package let modified: Int
  package let changed: Int

  package init(device: Int, inode: Int, byteCount: Int, modified: Int, changed: Int) {
    (self.device, self.inode, self.byteCount) = (device, inode, byteCount)
    (self.modified, self.changed) = (modified, changed)
  }

  package init(_ status: stat) {
    device = Int(truncatingIfNeeded: status.st_dev)
    inode = Int(truncatingIfNeeded: status.st_ino)
    byteCount = Int(status.st_size)
    modified = FileTime.number(status.st_mtim)
    changed = FileTime.number(status.st_ctim)
  }
}
