import TensorCore

/// What tells a file or folder from all others, by whatever path it is reached.
struct FileNumber: Sendable, Hashable {
  let device: Int
  let inode: Int

  init(device: Int, inode: Int) { (self.device, self.inode) = (device, inode) }

  init(_ version: FileVersion) { self.init(device: version.device, inode: version.inode) }
}
