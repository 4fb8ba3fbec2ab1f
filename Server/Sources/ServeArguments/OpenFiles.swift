import Apus
import ApusServer
import CLibrary

/// The files, connections among them, that the process may have open.
struct OpenFiles {
  /// Those that stay open: standard streams, the log's pipe, the watch over the pressure of memory, and what Dispatch has of
  /// events, wakes, clocks and three signals.
  private static let ofProcess = 3 + 2 + 2 + 8
  /// Those that are open for a moment while models are opened, a few at a time, and memory is looked at.
  private static let momentary = 8
  /// What the event loop of a thread of connections has: events, wakes and times.
  private static let ofThread = 3
  /// The connections to the index of photographs, which SQLite reads by, and its log.
  private static let ofPhotographs = 16
  /// Connections below which a server is none.
  private static let fewest = 8

  /// As many as there may be.
  let limit: Int
  /// Those of connections, of all protocols together.
  let threads: Int
  /// The protocols that listen, each with connections of its own.
  var listeners = 1
  /// Whether a connection may have a photograph open besides.
  var hasPhotographs = false

  /// - Parameter threads: of connections, where there are files enough.
  init(limit: Int, threads: Int) {
    // A sixteenth of the files may be theirs three times.
    (self.limit, self.threads) = (limit, max(1, min(threads, limit / 16)))
  }

  /// Those of the server itself.
  var own: Int {
    Self.ofProcess + Self.momentary + Self.ofThread * threads + listeners
      + (hasPhotographs ? Self.ofPhotographs : 0)
  }

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

  /// How many connections each protocol can have at a time.
  /// - Parameter wanted: as many at most.
  /// - Throws: ``ApusError`` of kind `resources` when there is room for hardly any.
  func connections(_ wanted: Int) throws(ApusError) -> Int {
    let each = listeners + (hasPhotographs ? 1 : 0)
    let count = (limit - own) / each
    let fewest = min(wanted, Self.fewest)
    guard count >= fewest else {
      throw ApusError(
        .resources, "this process may have \(limit) files open (ulimit -n)",
        expected: "at least \(own + fewest * each)",
        advice: "Raise the limit: ulimit -Hn in a shell, LimitNOFILE= in a unit of systemd.")
    }
    return min(wanted, count)
  }
}
