import CLibrary
import TensorCore

/// The free space of a disk.
enum FreeSpace {
  /// The bytes that may still be written to the disk that a folder is on; nil where the system does not say.
  static func bytes(in folder: String) -> Int? {
    var status = statvfs()
    // File systems that count nothing say that they have no blocks.
    guard folder.withFileName({ statvfs($0, &status) }) == 0, status.f_blocks > 0 else { return nil }
    let bytes = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return bytes.overflow ? .max : Int(clamping: bytes.partialValue)
  }
}
