/// A range of values in which the true one lies with a stated confidence, 95 % unless said otherwise.
package struct Interval: Sendable, Hashable {
  package let lower: Double
  package let upper: Double

  package init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  package func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}
