import Apus
import TensorCore

/// That a model misses its target too often, or does no longer.
public struct PerformanceAlert: Sendable, Hashable, Codable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    /// Fewer than 95 % of the runs kept to the target; it ends at 97 %.
    case warning
    /// Fewer than 80 % did, or the 95th percentile is more than twice the target; it ends at 85 % and 1.8 times.
    case critical
  }

  /// The model's name.
  public let model: String
  /// The display name; nil to use its name.
  public let displayName: String?
  /// The condition of the alert.
  public let severity: Severity
  /// Whether the model keeps to its target again, or is not used any more.
  public let isResolved: Bool
  /// When it was found, in seconds since 1970.
  public let time: Double
  /// The window in which it was found: the shortest with at least 50 runs.
  public let window: PerformanceWindow
  /// How many runs ended in that window.
  public let runs: UInt64
  /// The share of them that kept to the target, from 0 to 1.
  public let compliance: Double
  /// The time below which 95 % of them stayed.
  public var p95: Duration { Duration(milliseconds: p95Milliseconds) }
  package let p95Milliseconds: Double
  /// The latency target of a run.
  public var target: Duration { Duration(milliseconds: targetMilliseconds) }
  package let targetMilliseconds: Double
}

extension PerformanceAlert {
  /// The model's display name.
  var shownName: String { displayName ?? model }

  /// The alert's end, where there are no runs to tell it by.
  func ended(at time: Double) -> PerformanceAlert {
    PerformanceAlert(
      model: model, displayName: displayName, severity: severity, isResolved: true, time: time, window: .hour,
      runs: 0, compliance: 1, p95Milliseconds: 0, targetMilliseconds: targetMilliseconds)
  }
}

extension PerformanceAlert: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    let state = severity.rawValue + (isResolved ? " ended" : "")
    guard runs > 0 else { return "\(shownName): \(state), it has not run for an hour or has no target" }
    let share = (100 * compliance).printed("%.1f")
    let times = [targetMilliseconds, p95Milliseconds].map { $0.printed("%.4g") + " ms" }
    return
      "\(shownName): \(state), \(share) % of \(runs) runs in the last \(window.text) kept to \(times[0]), 95 % to \(times[1])"
  }
}
