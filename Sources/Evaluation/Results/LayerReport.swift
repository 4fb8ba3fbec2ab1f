/// Two models' intermediate results side by side.
package struct LayerReport: Sendable {
  /// Positions in ``ComparisonReport/models``.
  package var baseline: Int
  package var other: Int
  /// Samples that the figures are taken over.
  package var sampleCount: Int
  /// Matched results and inputs, those whose layers introduce most error first.
  package var rows: [LayerRow]
  /// Labels of the nodes of either model that have no counterpart, in run order.
  package var unmatchedLabelsInBaseline: [String]
  package var unmatchedLabelsInOther: [String]
  /// The first operator in run order whose error leaves the bound; nil when none does, or none was asked for.
  package var firstDivergence: Divergence?
  /// What ``firstDivergence`` was looked for with; nil when none was asked for.
  package var bound: DivergenceBound?

  /// An operator whose error leaves a bound.
  package struct Divergence: Sendable, Hashable {
    /// A position in ``LayerReport/rows``.
    package var row: Int
    /// The bound in words: `SQNR below 20 dB`.
    package var bound: String

    package init(row: Int, bound: String) {
      self.row = row
      self.bound = bound
    }
  }

  /// - Parameter bound: what the first divergence shall leave; nil looks for none.
  package init(
    baseline: Int, other: Int, sampleCount: Int, rowsInRunOrder: [LayerRow], unmatchedInBaseline: [String],
    unmatchedInOther: [String], bound: DivergenceBound? = nil
  ) {
    self.baseline = baseline
    self.other = other
    self.sampleCount = sampleCount
    self.bound = bound
    unmatchedLabelsInBaseline = unmatchedInBaseline
    unmatchedLabelsInOther = unmatchedInOther
    let order = rowsInRunOrder.indices.sorted {
      (rowsInRunOrder[$0].rank, $0) < (rowsInRunOrder[$1].rank, $1)
    }
    rows = order.map { rowsInRunOrder[$0] }
    guard let bound, let first = rowsInRunOrder.firstIndex(where: { bound.isLeft(by: $0.difference) }),
      let row = order.firstIndex(of: first)
    else { return }
    firstDivergence = Divergence(row: row, bound: bound.description)
  }

  package var unmatchedInBaseline: Int { unmatchedLabelsInBaseline.count }
  package var unmatchedInOther: Int { unmatchedLabelsInOther.count }
  /// Matched results, inputs not counted.
  package var matched: Int { rows.count { !$0.isInput } }
  package var rowsInRunOrder: [LayerRow] { rows.sorted { $0.position < $1.position } }
}
