/// What is asked of certain answers.
package struct CertaintyDemands: Sendable {
  /// The share of them that is right.
  package var right = 0.95
  /// The share of foreign pictures of each kind that may be certain.
  package var foreign = 0.05
  /// The share of known pictures that is not foreign, where no foreign ones are at hand to choose by.
  package var known = 0.98

  package init() {}
}
