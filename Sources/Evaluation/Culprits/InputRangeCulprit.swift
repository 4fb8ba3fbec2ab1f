import Images
import TensorCore

/// Finds an input whose integers cannot hold the numbers that the baseline is given.
enum InputRangeCulprit {
  /// Parts of the baseline's range that may be cut off: less than three of 256 steps.
  private static let tolerance: Float = 0.012

  static func culprit(_ model: Int, baseline: Preprocessor, other: Preprocessor) -> Culprit? {
    guard let holds = other.input.realRange, let given = numbers(baseline),
      given.lowerBound < given.upperBound
    else { return nil }
    let span = given.upperBound - given.lowerBound
    // Numbers of another size are another preparation, which is looked for by itself.
    guard (0.5...2).contains((holds.upperBound - holds.lowerBound) / span) else { return nil }
    let below = max(0, holds.lowerBound - given.lowerBound) / span
    let above = max(0, given.upperBound - holds.upperBound) / span
    guard max(below, above) > tolerance else { return nil }
    func number(_ value: Float) -> String { Double(value).printed("%.3g") }
    let share = Double(min(1, below + above))
    return Culprit(
      kind: .preparation, model: model, certainty: .found,
      statement: "\(ReportWriter.letter(model))'s input holds numbers from \(number(holds.lowerBound)) to "
        + "\(number(holds.upperBound)), and A's pictures are from \(number(given.lowerBound)) to "
        + "\(number(given.upperBound)): \(Verdict.percent(share)) of that is cut off.",
      advice: "Check the scale and the zero point of its input.",
      evidence: [.init(name: "share of the range cut off", value: share)])
  }

  /// From the least number that any picture becomes to the greatest.
  private static func numbers(_ preprocessor: Preprocessor) -> ClosedRange<Float>? {
    if preprocessor.input.quantization != nil { return preprocessor.input.realRange }
    let channels = 0..<RGBImage.channels
    let ends = channels.flatMap { channel in
      [0, 255].map { preprocessor.profile.normalization.apply($0, channel: channel) }
    }
    guard let least = ends.min(), let greatest = ends.max() else { return nil }
    return least...greatest
  }
}
