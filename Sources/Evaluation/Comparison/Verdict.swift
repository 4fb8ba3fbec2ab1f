import CLibrary
import HTMLReport
import Statistics
import TensorCore

/// The outcome of a pair in plain words.
package enum Verdict {
  /// `B is right for 74.0 %, A for 74.7 %: the difference is -0.7 points (95 % interval -2.0 … +0.7), not
  /// significant (McNemar p = 0.63).` Of data without labels, how often the two agree.
  static func sentence(
    _ a: String, _ b: String, _ accuracy: PairedAccuracy?, _ agreement: Proportion
  ) -> String {
    let isSame = agreement.successes == agreement.count
    let all = agreement.count == 1 ? "the one sample" : "all \(agreement.count) samples"
    guard let accuracy else {
      let interval =
        "(95 % interval \(percent(agreement.interval.lower)) … \(percent(agreement.interval.upper)))"
      return isSame
        ? "\(b) gives the same answer as \(a) for \(all) \(interval)."
        : "\(b) and \(a) agree on \(agreement.successes) of \(agreement.count.counted("sample")), "
          + "\(percent(agreement.value)) \(interval)."
    }
    let outcome = outcome(accuracy)
    return isSame
      ? "\(b) gives the same answer as \(a) for \(all): \(outcome)."
      : "\(shares(a, b, accuracy)): \(outcome)."
  }

  /// `B is right for 74.0 %, A for 74.7 %`.
  private static func shares(_ a: String, _ b: String, _ accuracy: PairedAccuracy) -> String {
    let count = Double(max(accuracy.count, 1))
    let before = Double(accuracy.bothRight + accuracy.onlyBaselineRight) / count
    let after = Double(accuracy.bothRight + accuracy.onlyOtherRight) / count
    return "\(b) is right for \(percent(after)), \(a) for \(percent(before))"
  }

  private static func outcome(_ accuracy: PairedAccuracy) -> String {
    "the difference is \(points(accuracy.difference)) points (\(range(accuracy))), "
      + "\(accuracy.isSignificant ? "significant" : "not significant") (McNemar p \(probability(accuracy.pValue))"
      + "\(correction(accuracy)))"
  }

  /// What the exact count of splits says beside McNemar's test: as the page, `ReportText.split` and `doubt`. Nil where no answer
  /// is only one's, or samples are copies of others.
  package static func split(_ accuracy: PairedAccuracy) -> String? {
    ReportText.split(accuracy).map { split in
      [split, ReportText.doubt(accuracy, by: "McNemar's test")].compactMap(\.self).joined(separator: " ")
        .replacing(NumberText.space, with: " ")
    }
  }

  /// What the samples say of a margin.
  static func sentence(
    _ a: String, _ b: String, _ margin: MarginReport, _ accuracy: PairedAccuracy
  ) -> String {
    let limit = ReportText.amount(margin.margin)
    let confidence = plain(accuracy.confidence)
    switch margin.outcome {
    case .within where margin.greatestLoss <= 0:
      return "Within the margin of \(limit): \(b) loses nothing against \(a) (\(confidence))."
    case .within:
      return
        "Within the margin of \(limit): \(b) loses at most \(ReportText.amount(margin.greatestLoss)) against \(a) "
        + "(\(confidence))."
    case .beyond:
      return
        "Beyond the margin of \(limit): \(b) loses at least \(ReportText.amount(margin.leastLoss)) against \(a) "
        + "(\(confidence))."
    case .open:
      let more = margin.furtherSamples.map {
        "About \(rounded($0)) more \($0 == 1 ? "sample" : "samples") would probably tell."
      }
      return "Whether \(b) loses more than \(limit) against \(a) is open: it loses at most "
        + "\(ReportText.amount(margin.greatestLoss)) (\(confidence)). "
        + (more ?? "No number of samples that could be gathered would tell.")
    }
  }

  /// With two digits that count, never fewer than there are.
  private static func rounded(_ count: Int) -> String {
    var unit = 1
    while count / unit >= 100 { unit *= 10 }
    return "\((count + unit - 1) / unit * unit)"
  }

  private static func plain(_ confidence: Double) -> String {
    ReportText.confidence(confidence).replacing(NumberText.space, with: " ")
  }

  /// `95 % interval -2.0 … +0.7`.
  private static func range(_ accuracy: PairedAccuracy) -> String {
    "\(plain(accuracy.confidence)) interval \(points(accuracy.interval.lower)) … \(points(accuracy.interval.upper))"
  }

  private static func correction(_ accuracy: PairedAccuracy) -> String {
    accuracy.comparisons > 1 ? ", corrected for \(accuracy.comparisons) pairs" : ""
  }

  /// `74.0 %`.
  static func percent(_ share: Double) -> String { (100 * share).printed("%.1f %%") }

  /// `-0.7`, `+1.3`, `0.0`: a share in percentage points; more decimals where one would make it look like none.
  static func points(_ share: Double) -> String {
    let decimals = ReportText.decimals(share)
    return share == 0 ? "0.0" : (100 * share).printed("%+.\(decimals)f")
  }

  /// `= 0.63`, `= 0.0021`, `< 0.0001`: with so many decimals that 0.05 is not met by rounding.
  static func probability(_ p: Double) -> String {
    if p < 1e-4 { return "< 0.0001" }
    let decimals = p < 0.01 ? 4 : (2..<8).first { abs(p - 0.05) > 0.6 * pow(0.1, Double($0)) } ?? 8
    return "= " + p.printed("%.\(decimals)f")
  }
}
