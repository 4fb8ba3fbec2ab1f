import CLibrary

/// Times of files as single numbers, which are in the order of the times: nanoseconds since 1970 where 64 bits hold them, from
/// 1677 to 2262, and whole seconds beyond, as disks keep times of other centuries too.
package enum FileTime {
  /// Seconds from 1970, either way, within which numbers are nanoseconds.
  package static let nearSeconds = 9_223_371_000
  /// The number of that time.
  package static let nearNumber = nearSeconds * 1_000_000_000
  /// Seconds beyond that have numbers of their own: 32 000 years.
  private static let room = Int.max - nearNumber

  /// - Parameter time: with 0 to 999 999 999 nanoseconds.
  package static func number(_ time: timespec) -> Int {
    let seconds = time.tv_sec
    if seconds >= nearSeconds { return nearNumber + min(seconds - nearSeconds, room) }
    if seconds < -nearSeconds { return -nearNumber - min(-nearSeconds - seconds, room) }
    return seconds * 1_000_000_000 + time.tv_nsec
  }
}
