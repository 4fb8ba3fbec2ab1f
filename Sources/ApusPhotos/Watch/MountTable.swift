import TensorCore

/// Which file systems tell a watch of changes that other machines make: none of the network does.
struct MountTable: Sendable {
  /// Names of file systems by the number of their device.
  private let names: [Int: String]

  /// What is mounted now.
  init() { self.init(KernelFile.text("/proc/self/mountinfo") ?? "") }

  /// From the text of `/proc/self/mountinfo`, described in proc(5): `36 35 98:0 / /mnt rw shared:1 - ext3 /dev/a rw`.
  init(_ text: String) {
    var names: [Int: String] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count, fields.count > 2 else { continue }
      let numbers = fields[2].split(separator: ":").compactMap { UInt32($0) }
      guard numbers.count == 2 else { continue }
      names[Self.device(major: numbers[0], minor: numbers[1])] = String(fields[dash + 1])
    }
    self.names = names
  }

  /// The number that `stat` gives, as the C library puts it together.
  private static func device(major: UInt32, minor: UInt32) -> Int {
    let (major, minor) = (Int(major), Int(minor))
    return minor & 0xFF | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
  }

  /// The name of a file system on whose folders changes may happen unseen; nil for others.
  func remoteFileSystem(device: Int) -> String? {
    guard let name = names[device] else { return nil }
    return Self.remote.contains(name) || name.hasPrefix("fuse.") ? name : nil
  }

  /// Other machines', and those that programs make (`fuse`), but `fuseblk`, which is a disk of this machine.
  private static let remote: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "9p", "virtiofs", "vboxsf", "vmhgfs", "prl_fs", "afs",
    "coda", "ceph", "gfs2", "ocfs2", "lustre", "beegfs", "gpfs", "fuse",
  ]
}
