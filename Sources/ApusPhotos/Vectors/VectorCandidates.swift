/// The rows of a vector file that are nearest to a query by their bytes, the best first.
package struct VectorCandidates: Sendable, Hashable {
  package let elements: [VectorCandidate]
  /// By how much the cosine of a row that was looked at may be greater than its score.
  package let uncertainty: Float
  /// Whether every row that was looked at is among them.
  package let areAll: Bool

  /// By how much a cosine and the score of the same vectors in bytes differ at most.
  ///
  /// The score leaves out what rounding changed: a sum of errors of at most half a step, each times a number of the other
  /// vector, which is of unit length. For errors that are independent of one another, the chance that such a sum is above
  /// three times the root of the squares' sum of both steps is 2e⁻¹⁸ at most (W. Hoeffding, "Probability inequalities for
  /// sums of bounded random variables", 1963), and it is ten standard deviations of errors that are spread evenly.
  /// - Parameter scales: the greatest steps of a row and of the query.
  static func uncertainty(ofScales row: Float, _ query: Float) -> Float {
    // Vectors of half precision have that length but for the last bits.
    3 * (row * row + query * query).squareRoot() + 0x1p-11
  }
}
