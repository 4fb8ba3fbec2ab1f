import Glibc
import TensorCore

/// What the system says of this process' memory.
enum ProcessMemory {
  /// Bytes that are in memory now: its own, and pages of mapped files. Nil where the system does not tell.
  static var resident: Int? {
    guard let text = KernelFile.text("/proc/self/statm") else { return nil }
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
