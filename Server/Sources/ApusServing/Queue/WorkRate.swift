/// How fast work is done, as far as it was seen: an average that forgets.
struct WorkRate {
  /// Cost in a second of one batch at a time; nil before the first.
  private var perSecond: Double?

  mutating func add(_ cost: Int, in time: Duration) {
    let seconds = max(time / .seconds(1), 1e-6)
    let seen = Double(cost) / seconds
    // The last dozen batches make most of it.
    perSecond = perSecond.map { $0 + 0.2 * (seen - $0) } ?? seen
  }

  /// The time in which so much is done, a second where nothing was seen yet; at least a tenth of one, at most a minute.
  func time(for cost: Int, width: Int) -> Duration {
    guard let perSecond, perSecond > 0 else { return .seconds(1) }
    return .seconds(min(max(Double(cost) / (perSecond * Double(max(width, 1))), 0.1), 60))
  }
}
