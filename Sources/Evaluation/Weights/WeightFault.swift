/// How a stored tensor is not the baseline's.
enum WeightFault: Hashable {
  /// So many of its numbers are NaN or infinite.
  case notFinite(Int)
  /// All of it is zero.
  case zero
  /// All of it is the baseline's times a factor.
  case scaled(Double)
  /// Some slices are zero (a factor of 0), or the baseline's times a factor.
  case channels(WeightExamination.Axis, [Int], factor: Double)
  /// It is another tensor's, and that one this one's.
  case exchanged(with: String)
  /// It has the baseline's classes in their places, where the labels or other tensors have them in others.
  case outOfOrder
  /// It has little in common with the baseline's.
  case different(signalToNoise: Double)

  /// Whether no training, rounding or other calibration makes it so.
  var isDefinite: Bool {
    if case .different = self { false } else { true }
  }

  /// In words: `'a.weight' is zero throughout`.
  func statement(_ name: String, shape: [Int]) -> String {
    let extents = shape.map(String.init).joined(separator: "×")
    switch self {
    case .notFinite(let count):
      let all = shape.reduce(1, *).counted("number")
      return "\(count) of the \(all) of '\(name)' \(count == 1 ? "is" : "are") not finite"
    case .zero: return "'\(name)' is zero throughout"
    case .scaled(let factor): return "'\(name)' is \(Self.number(factor)) times A's"
    case .channels(let axis, let channels, let factor):
      let what = factor == 0 ? "zero" : "\(Self.number(factor)) times A's"
      let places = Self.places(channels)
      return "\(axis.rawValue)\(channels.count == 1 ? "" : "s") \(places) of '\(name)' (\(extents)) "
        + "\(channels.count == 1 ? "is" : "are") \(what)"
    case .exchanged(let other): return "'\(name)' has A's '\(other)', and the other way round"
    case .outOfOrder: return "the classes of '\(name)' are not in the order of the labels"
    case .different(let ratio):
      return "'\(name)' has little in common with A's (SQNR \(Self.number(ratio)) dB)"
    }
  }

  /// `32–63`, `5, 9 and 4 more`.
  private static func places(_ channels: [Int]) -> String {
    if let first = channels.first, let last = channels.last, channels.count > 1,
      last - first == channels.count - 1
    {
      return "\(first)–\(last)"
    }
    let rest = channels.count - 3
    let shown = channels.prefix(3).map(String.init).joined(separator: ", ")
    return rest > 0 ? "\(shown) and \(rest) more" : shown
  }

  private static func number(_ value: Double) -> String { value.printed("%.3g") }
}
