import CLibrary

/// The permissions that a process holds back of all files that it makes, its umask.
extension NewFile {
  /// Whether the kernel takes them from files without a name too. Before Linux 6.0 it leaves that to the file system, of which
  /// those without access control lists do not.
  static let heedsMask: Bool = {
    let release = KernelFile.text("/proc/sys/kernel/osrelease") ?? ""
    return (Int(release.prefix { $0.isNumber }) ?? 0) >= 6
  }()

  /// Those of this process; nil where the system does not tell. `umask` tells them only by changing them, for all threads.
  package static var mask: mode_t? {
    let lines = (KernelFile.text("/proc/self/status") ?? "").split(separator: "\n")
    let line = lines.first { $0.hasPrefix("Umask:") }
    return line.flatMap { mode_t($0.drop { !$0.isNumber }, radix: 8) }
  }

  /// Takes permissions from an open file that has them.
  package static func withhold(_ mask: mode_t, from descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & mask != 0 else { return }
    _ = fchmod(descriptor, status.st_mode & 0o7777 & ~mask)
  }
}
