/// The meaning of the numbers of an operation's result.
package enum ResultMeaning: Sendable {
  /// New numbers.
  case computed
  /// New numbers behind an activation.
  case activated(Activation)
  /// Probabilities: from 0 to 1, of one class each.
  case probabilities(ProbabilityKind)
  /// Numbers of operand 0 in their order, under another shape or stored as another type.
  case sameNumbers
  /// Numbers of operand 0 in another order.
  case reorderedNumbers
  /// Some numbers of an operand, or means of some.
  case someNumbers(of: Int)
  /// Each is a number of one of the operands.
  case chosenNumbers
  /// Numbers of operand 0, raised or lowered to the nearer end of an interval.
  case clamped(ClosedRange<Float>)
  /// Numbers of operand 0 by a function that rises from 0 at 0 to 1 at 1.
  case stretchedNumbers
  /// Sums of numbers of operand 0.
  case total
  /// Sums of one number of each operand.
  case sum(Activation)
  /// Products of one number of each operand.
  case product(Activation)
  /// Numbers of operand 0 divided by numbers of operand 1.
  case quotient(Activation)
}

/// The relation of the probabilities of classes.
package enum ProbabilityKind: Sendable {
  /// One class applies: the probabilities of all classes add up to 1. Some classes may be left out.
  case exclusive
  /// Each stands for itself: several classes may apply, or none.
  case independent
}
