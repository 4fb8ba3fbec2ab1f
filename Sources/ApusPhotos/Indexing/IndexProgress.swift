import Apus

/// How far an indexing has come.
public struct IndexProgress: Sendable, Hashable, Codable {
  /// Pictures found.
  public internal(set) var found = 0
  /// Unchanged files among ``found``.
  public internal(set) var unchanged = 0
  /// New, moved or changed files, which are read.
  public internal(set) var total = 0
  /// Finished files among ``total``.
  public internal(set) var done = 0
  /// Embedded files among ``done``.
  public internal(set) var embedded = 0
  /// Files among ``done`` with known content: renamed, moved or copied.
  public internal(set) var known = 0
  /// Files among ``done`` that are no readable pictures, and folders that could not be read.
  public internal(set) var failed = 0
  /// Files that were indexed before and are not there any more.
  public internal(set) var missing = 0
  /// Files that were missing for long, and were forgotten.
  public internal(set) var forgotten = 0
  /// Videos, which are not indexed, by the endings of their names, such as `mov`.
  public internal(set) var videos: [EndingCount] = []
  /// Raw photographs that are not indexed, as where a picture lies in them is not known, by the endings of their names.
  public internal(set) var raw: [EndingCount] = []
  /// The time since pictures were first looked at.
  public var elapsed: Duration { Duration(milliseconds: seconds * 1e3) }
  package internal(set) var seconds = 0.0

  /// Nothing yet.
  public init() {}

  /// Pictures done in a second.
  public var rate: Double { seconds > 0 ? Double(done) / seconds : 0 }

  /// The time until all are done, at that rate; nil before the first is.
  public var timeLeft: Duration? { secondsLeft.map { Duration(milliseconds: $0 * 1e3) } }
  package var secondsLeft: Double? { rate > 0 ? Double(total - done) / rate : nil }
}
