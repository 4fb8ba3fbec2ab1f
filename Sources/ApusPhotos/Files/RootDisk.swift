import CLibrary
import TensorCore

/// The disk that a root is on.
package struct RootDisk: Sendable, Hashable, Codable {
  /// The system's number of the device, which may be another one after the machine was started anew.
  package let device: Int
  /// The file system's own number, which is permanent for some and the device's for others; 0 if there is none.
  package let fileSystem: Int
  /// The name that the volume was given when it was formatted; nil where the system does not tell.
  package let volume: String?

  package init(device: Int, fileSystem: Int, volume: String? = nil) {
    (self.device, self.fileSystem, self.volume) = (device, fileSystem, volume)
  }

  /// - Returns: nil when the system does not say; `errno` says why.
  init?(descriptor: CInt, _ volumes: VolumeNames) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    var fileSystem = statvfs()
    let hasNumber = fstatvfs(descriptor, &fileSystem) == 0
    let device = FileVersion(status).device
    self.init(
      device: device, fileSystem: hasNumber ? Int(truncatingIfNeeded: fileSystem.f_fsid) : 0,
      volume: volumes.name(ofDevice: device))
  }

  /// Whether both are one disk: by the names of their volumes, else by the numbers of their file systems, each
  /// where both have one, as the system gives the number of a device that is away to another.
  package func isSame(as other: RootDisk) -> Bool {
    if let volume, let theirs = other.volume { return volume == theirs }
    return fileSystem != 0 && other.fileSystem != 0
      ? fileSystem == other.fileSystem : device == other.device
  }

  /// This disk with the volume's name from an earlier look, if only that could tell it.
  func knowing(_ earlier: RootDisk?) -> RootDisk {
    guard volume == nil, let earlier, isSame(as: earlier) else { return self }
    return RootDisk(device: device, fileSystem: fileSystem, volume: earlier.volume)
  }
}
