import TensorCore

/// Pictures that were begun and are not closed yet, by the bytes of their paths.
struct BegunPictures {
  private struct Picture {
    /// As it was when it was looked at.
    let version: FileVersion
    /// When it is looked at again.
    let due: ContinuousClock.Instant
  }

  private var pictures: [[UInt8]: Picture] = [:]

  /// When one is to be looked at again; nil where there is none.
  var nextLook: ContinuousClock.Instant? { pictures.values.map(\.due).min() }

  mutating func note(_ path: [UInt8], _ version: FileVersion, lookingAt due: ContinuousClock.Instant) {
    pictures[path] = Picture(version: version, due: due)
  }

  mutating func remove(_ path: [UInt8]) { pictures[path] = nil }

  /// Takes those out that have something and stay as they are; others wait on, and what is gone does not.
  /// - Parameters:
  ///   - due: when those that wait on are looked at again.
  ///   - version: what is at a path now; nil for nothing.
  mutating func takeWhole(
    _ now: ContinuousClock.Instant, elseLookingAt due: ContinuousClock.Instant,
    version: ([UInt8]) -> FileVersion?
  ) -> [[UInt8]] {
    var whole: [[UInt8]] = []
    for (path, picture) in pictures where picture.due <= now {
      pictures[path] = nil
      guard let found = version(path) else { continue }
      if found == picture.version, found.byteCount > 0 {
        whole.append(path)
      } else {
        note(path, found, lookingAt: due)
      }
    }
    return whole
  }
}
