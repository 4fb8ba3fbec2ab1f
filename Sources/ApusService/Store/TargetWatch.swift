/// Whether the runs of a model keep to its target, as far as the choice of its quality goes by it.
///
/// Only the runs of one form are counted, so that an earlier form's runs do not speak against it.
struct TargetWatch {
  private var runs = 0
  private var missed = 0

  /// Fewer runs say nothing.
  static let leastRuns = 50
  /// Older runs count no longer.
  static let mostRuns = 200

  /// Takes down a run.
  /// - Returns: whether fewer than 80 % of at least 50 runs kept to the target.
  mutating func misses(_ nanoseconds: UInt64, target: UInt64) -> Bool {
    if runs == Self.mostRuns { (runs, missed) = (runs / 2, missed / 2) }
    runs += 1
    if nanoseconds > target { missed += 1 }
    return runs >= Self.leastRuns && 5 * missed > runs
  }
}
