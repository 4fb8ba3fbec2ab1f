import TensorCore

/// The identity of a file or folder, by whatever path it is reached.
struct FileNumber: Sendable, Hashable {
  let device: Int
  let inode: Int

  init(device: Int, inode: Int) { (self.device, self.inode) = (device, inode) }

  init(_ version: FileVersion) { self.init(device: version.device, inode: version.inode) }
}
