import Glibc
import TensorCore

/// What a walk finds where its root should be. Files may be taken for gone only below one that is ``present``: the
/// others are what a disk leaves behind that is not mounted.
package enum RootState: Sendable, Equatable {
  case present
  /// A folder with nothing in it, on whatever disk.
  case empty
  /// Nothing, or nothing that can be opened.
  case absent(ApusError)
  /// A folder or file on another disk than the one that is known.
  case otherDisk
}

/// The disk that a root is on.
package struct RootDisk: Sendable, Hashable, Codable {
  /// The system's number of the device, which may be another one after the machine was started anew.
  package let device: Int
  /// The number that the file system gives itself, for most of them one for ever; 0 where it has none.
  package let fileSystem: Int

  package init(device: Int, fileSystem: Int) {
    self.device = device
    self.fileSystem = fileSystem
  }

  /// - Returns: nil when the system does not say; `errno` says why.
  init?(descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    var fileSystem = statvfs()
    let hasNumber = fstatvfs(descriptor, &fileSystem) == 0
    self.init(
      device: FileVersion(status).device,
      fileSystem: hasNumber ? Int(truncatingIfNeeded: fileSystem.f_fsid) : 0)
  }

  /// Whether both are one disk: by the number of the file system where both have one, as the system gives the number of
  /// a device that is away to another.
  package func isSame(as other: RootDisk) -> Bool {
    fileSystem != 0 && other.fileSystem != 0 ? fileSystem == other.fileSystem : device == other.device
  }
}
