/// A range of values in which the true one lies with a stated confidence, 95 % unless said otherwise.
public struct Interval: Sendable, Hashable {
  /// The least value.
  public let lower: Double
  /// The greatest value.
  public let upper: Double

  package init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether a value lies in it, ends included.
  public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}
