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
  ///   - waits: what of text that is not cut has to wait for more.
  /// - Returns: nil where all has to wait.
  mutating func take(
    _ part: NormalizedText, isLast: Bool, _ cut: (NormalizedText) -> Int,
    waits: (NormalizedText) -> NormalizedText = { $0 }
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
    let count = bytes.count
    bytes = waits(text).bytes
    worthwhile = bytes.count < count ? 0 : 2 * count
    return nil
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
