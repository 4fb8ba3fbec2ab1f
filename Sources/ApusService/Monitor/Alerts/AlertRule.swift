/// When a model that misses its target is worth an alert, and when it no longer is: the bounds to leave lie apart from
/// those to enter, so that a model near one does not come and go.
enum AlertRule {
  /// Fewer runs say nothing of a model.
  static let leastRuns: UInt64 = 50
  /// The share of runs that has to keep to the target.
  static let leastCompliance = 0.95

  /// A finding about a model in a window.
  struct Finding {
    /// The share of runs that kept to the target.
    let compliance: Double
    /// The 95th percentile of the time of a run, in multiples of the target.
    let relativeP95: Double
  }

  /// - Parameter severity: what holds before.
  /// - Returns: what holds then; nil for a model that does as it should.
  static func severity(
    after severity: PerformanceAlert.Severity?, _ finding: Finding
  ) -> PerformanceAlert.Severity? {
    let isCritical =
      severity == .critical
      ? finding.compliance < 0.85 || finding.relativeP95 > 1.8
      : finding.compliance < 0.80 || finding.relativeP95 > 2
    if isCritical { return .critical }
    return finding.compliance < (severity == nil ? leastCompliance : 0.97) ? .warning : nil
  }
}
