/// Text that waits before a step until it is known where it can be cut.
struct WaitingText {
  private(set) var bytes: [UInt8] = []
  private var startsAtOrigin: Bool
  /// Whether something has come out of the step.
  private var continues = false
  private var hasBegun = false
  /// The bytes with which a cut is looked for again.
  private var worthwhile = 0

  init(startsAtOrigin: Bool) { self.startsAtOrigin = startsAtOrigin }

  /// Adds a part, and takes out what goes through the step now.
  /// - Parameters:
  ///   - isLast: whether all goes through, since nothing follows.
  ///   - cut: finds the last place where the text can be cut; 0 for none.
  ///   - deciding: how many bytes decide upon text that is not cut, so that those between them and the last character are
  ///     dropped; nil for all.
  /// - Returns: nil where all has to wait.
  mutating func take(
    _ part: NormalizedText, isLast: Bool, _ cut: (NormalizedText) -> Int,
    deciding: (NormalizedText) -> Int? = { _ in nil }
  ) -> NormalizedText? {
    if !hasBegun { startsAtOrigin = startsAtOrigin && part.startsAtOrigin }
    if bytes.isEmpty { bytes = part.bytes } else { bytes += part.bytes }
    hasBegun = hasBegun || !bytes.isEmpty
    guard !isLast else { return take(bytes.count) }
    guard bytes.count >= worthwhile else { return nil }
    let text = NormalizedText(bytes: bytes, startsAtOrigin: startsAtOrigin, continues: continues)
    let end = cut(text)
    guard end == 0 else {
      worthwhile = 0
      return take(end)
    }
    if let length = deciding(text) {
      dropMiddle(behind: length)
      worthwhile = 0
    } else {
      worthwhile = 2 * bytes.count
    }
    return nil
  }

  private mutating func dropMiddle(behind length: Int) {
    guard bytes.count > length else { return }
    let end = bytes.count - bytes.span.scalar(before: bytes.count).length
    let start = bytes[...].characterStart(from: length)
    if start < end { bytes.removeSubrange(start..<end) }
  }

  private mutating func take(_ end: Int) -> NormalizedText {
    var text = NormalizedText(bytes: bytes, startsAtOrigin: startsAtOrigin, continues: continues)
    if end < bytes.count {
      text.bytes = Array(bytes[..<end])
      bytes.removeFirst(end)
    } else {
      bytes = []
    }
    if end > 0 { startsAtOrigin = false }
    return text
  }

  /// Takes note of what came out of the step.
  mutating func note(_ result: NormalizedText) { continues = continues || !result.bytes.isEmpty }
}
