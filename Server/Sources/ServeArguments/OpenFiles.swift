import Glibc

/// The files, connections among them, that the process may have open.
enum OpenFiles {
  /// As many as it may have at all: shells give a thousand, which the connections alone would take.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
