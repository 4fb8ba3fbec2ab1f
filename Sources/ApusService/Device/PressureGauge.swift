/// Makes a level of what is seen of memory: shares of limits, and words of tasks that waited.
struct PressureGauge {
  typealias Level = MemoryPressure.Level

  private let options: MemoryPressure.Options
  /// The level by the share alone.
  private var levelOfShare = Level.normal
  /// When there was last word of each level.
  private var words: [Level: ContinuousClock.Instant] = [:]

  init(_ options: MemoryPressure.Options) { self.options = options }

  /// The kernel said that tasks waited.
  mutating func note(_ level: Level, at time: ContinuousClock.Instant) { words[level] = time }

  /// A share of a limit was seen.
  mutating func note(share: Double) {
    levelOfShare =
      [Level.critical, .warning].first { level in
        let start = level == .critical ? options.criticalShare : options.warningShare
        return share >= (levelOfShare >= level ? start - options.margin : start)
      } ?? .normal
  }

  /// The level at a time.
  func level(at time: ContinuousClock.Instant) -> Level {
    max(levelOfShare, words.filter { time - $0.value < options.calm }.keys.max() ?? .normal)
  }
}
