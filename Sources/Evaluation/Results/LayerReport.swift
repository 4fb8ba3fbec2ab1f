/// Two models' intermediate results side by side.
public struct LayerReport: Sendable {
  /// Positions in ``ComparisonReport/models``.
  public var baseline: Int
  /// The position of the other model.
  public var other: Int
  /// Samples that the figures are taken over.
  public var sampleCount: Int
  /// Matched results and inputs, those whose layers introduce most error first.
  public var rows: [LayerRow]
  /// Labels of the nodes of either model that have no counterpart, in run order.
  public var unmatchedLabelsInBaseline: [String]
  /// The same of the other model.
  public var unmatchedLabelsInOther: [String]
  /// The first operator in run order whose error leaves the bound; nil when none does, or none was asked for.
  public var firstDivergence: Divergence?
  /// What ``firstDivergence`` was looked for with; nil when none was asked for.
  public var bound: DivergenceBound?

  /// An operator whose error leaves a bound.
  public struct Divergence: Sendable, Hashable {
    /// A position in ``LayerReport/rows``.
    public var row: Int
    /// The bound in words: `SQNR below 20 dB`.
    public var bound: String

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
      let (first, second) = (rowsInRunOrder[$0], rowsInRunOrder[$1])
      return (first.rank, first.inheritedRank, $0) < (second.rank, second.inheritedRank, $1)
    }
    rows = order.map { rowsInRunOrder[$0] }
    guard let bound, let first = rowsInRunOrder.firstIndex(where: { bound.isLeft(by: $0.difference) }),
      let row = order.firstIndex(of: first)
    else { return }
    firstDivergence = Divergence(row: row, bound: bound.description)
  }

  /// The number of nodes of the baseline without a counterpart.
  public var unmatchedInBaseline: Int { unmatchedLabelsInBaseline.count }
  /// The number of nodes of the other model without a counterpart.
  public var unmatchedInOther: Int { unmatchedLabelsInOther.count }
  /// Matched results, inputs not counted.
  public var matched: Int { rows.count { !$0.isInput } }
  /// The rows in the order in which the baseline runs.
  public var rowsInRunOrder: [LayerRow] { rows.sorted { $0.position < $1.position } }
}
