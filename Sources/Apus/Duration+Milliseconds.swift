extension Duration {
  /// The time as a number of milliseconds, as it is printed and stands in JSON.
  public var milliseconds: Double { self / .milliseconds(1) }

  /// A time from a number of milliseconds, which a file may say: 0 for NaN, and at most 30 000 years either way.
  package init(milliseconds: Double) {
    self = .milliseconds(milliseconds.isNaN ? 0 : min(max(milliseconds, -1e15), 1e15))
  }
}
