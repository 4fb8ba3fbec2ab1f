import Statistics
import TensorCore

/// The outcome of a pair in plain words.
enum Verdict {
  /// `B is right for 74.0 %, A for 74.7 %: the difference is -0.7 points (95 % interval -2.0 … +0.7), not
  /// significant (McNemar p = 0.63).` Of data without labels, how often the two agree.
  static func sentence(
    _ a: ModelReport, _ b: ModelReport, _ accuracy: PairedAccuracy?, _ agreement: Proportion
  ) -> String {
    if agreement.successes == agreement.count {
      return "\(b.letter) gives the same answer as \(a.letter) for all \(agreement.count) samples."
    }
    guard let accuracy, let before = a.accuracy?.top1.value, let after = b.accuracy?.top1.value else {
      let interval = agreement.interval
      return "\(b.letter) and \(a.letter) agree on \(agreement.successes) of \(agreement.count) samples, "
        + "\(percent(agreement.value)) (95 % interval \(percent(interval.lower)) … \(percent(interval.upper)))."
    }
    let interval = accuracy.interval
    return
      "\(b.letter) is right for \(percent(after)), \(a.letter) for \(percent(before)): the difference is "
      + "\(points(accuracy.difference)) points (95 % interval \(points(interval.lower)) … "
      + "\(points(interval.upper))), \(accuracy.isSignificant ? "significant" : "not significant") "
      + "(McNemar p \(probability(accuracy.pValue)))."
  }

  /// `74.0 %`.
  static func percent(_ share: Double) -> String { (100 * share).printed("%.1f %%") }

  /// `-0.7`, `+1.3`, `0.0`: a share in percentage points.
  static func points(_ share: Double) -> String {
    let text = (100 * share).printed("%+.1f")
    return text == "-0.0" || text == "+0.0" ? "0.0" : text
  }

  /// `= 0.63`, `= 0.0021`, `< 0.0001`.
  static func probability(_ p: Double) -> String {
    p < 1e-4 ? "< 0.0001" : "= " + p.printed(p < 0.01 ? "%.4f" : "%.2f")
  }
}
