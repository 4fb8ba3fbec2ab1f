import Apus
import Glibc

/// The files, connections among them, that the process may have open.
enum OpenFiles {
  /// Standard streams, signals, the log, and what is open for a moment while a model or a picture is read.
  private static let ofProcess = 40
  /// What the event loop of a thread of connections has: events, wakes and times.
  private static let ofThread = 3
  /// Connections below which a server is none.
  private static let fewest = 8

  /// Raises the limit to as many as the process may have at all: shells give a thousand, which the connections alone would
  /// take.
  /// - Returns: how many it may have.
  static func raiseLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
    limit.rlim_cur = limit.rlim_max
    if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
      _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// How many connections there can be at a time.
  /// - Parameters:
  ///   - wanted: as many at most.
  ///   - limit: files that may be open.
  ///   - threads: of connections.
  ///   - hasPhotographs: whether a connection may have a file open besides.
  /// - Throws: ``ApusError`` of kind `resources` when there is room for hardly any.
  static func connections(
    _ wanted: Int, within limit: Int, threads: Int, hasPhotographs: Bool
  ) throws(ApusError) -> Int {
    let own = ofProcess + ofThread * threads
    let each = hasPhotographs ? 2 : 1
    let count = (limit - own) / each
    let fewest = min(wanted, fewest)
    guard count >= fewest else {
      throw ApusError(
        .resources, "this process may have \(limit) files open (ulimit -n)",
        expected: "at least \(own + fewest * each)",
        advice: "Raise the limit: ulimit -Hn in a shell, LimitNOFILE= in a unit of systemd.")
    }
    return min(wanted, count)
  }
}
