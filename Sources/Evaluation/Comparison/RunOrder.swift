/// In which order models run, and how often.
enum RunOrder {
  /// The models for one sample: each begins as often as the others, and the order is turned round every other time, so that
  /// each runs behind each.
  static func models(_ count: Int, turn: Int) -> [Int] {
    let order = (0..<count).map { ($0 + turn / 2) % count }
    return turn.isMultiple(of: 2) ? order : order.reversed()
  }

  /// Runs of each model that times are taken of, at least.
  private static let leastRuns = 30

  /// How often samples are run again after their first run.
  static func repeats(samples: Int) -> Int {
    samples > 0 ? (leastRuns + samples - 1) / samples - 1 : 0
  }
}
