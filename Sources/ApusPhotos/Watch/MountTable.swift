import TensorCore

/// The mounted file systems: which report all changes to a watch, and which disks are below a root.
struct MountTable: Sendable {
  struct Mount: Sendable, Hashable {
    /// The bytes of the folder's path.
    let folder: [UInt8]
    let device: Int
    let fileSystem: String
  }

  private let mounts: [Mount]

  /// The current mounts.
  init() { self.init(KernelFile.text("/proc/self/mountinfo") ?? "") }

  /// From the text of `/proc/self/mountinfo`, described in proc(5): `36 35 98:0 / /mnt rw shared:1 - ext3 /dev/a rw`.
  init(_ text: String) {
    mounts = text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash > 4, dash + 1 < fields.count else { return nil }
      let numbers = fields[2].split(separator: ":").compactMap { UInt32($0) }
      guard numbers.count == 2 else { return nil }
      return Mount(
        folder: Self.unescaped(fields[4]), device: DeviceNumber(major: numbers[0], minor: numbers[1]).device,
        fileSystem: String(fields[dash + 1]))
    }
  }

  /// White space and `\` stand as `\040` in the table: an octal number.
  private static func unescaped(_ field: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == UInt8(ascii: "\\"), let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(digits.count)
    }
    return bytes
  }

  /// The mounts below a folder, by its path without links.
  func below(_ folder: String) -> Set<Mount> {
    let start = FileName.bytes(folder == "/" ? "/" : folder + "/")
    return Set(mounts.filter { $0.folder.starts(with: start) && $0.folder.count > start.count })
  }

  /// The name of a file system on whose folders changes may happen unseen; nil for others.
  func remoteFileSystem(device: Int) -> String? {
    guard let name = mounts.last(where: { $0.device == device })?.fileSystem else { return nil }
    return Self.remote.contains(name) || name.hasPrefix("fuse.") ? name : nil
  }

  /// Other machines', and those that programs make (`fuse`), but `fuseblk`, which is a disk of this machine.
  private static let remote: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "9p", "virtiofs", "vboxsf", "vmhgfs", "prl_fs", "afs",
    "coda", "ceph", "gfs2", "ocfs2", "lustre", "beegfs", "gpfs", "fuse",
  ]
}
