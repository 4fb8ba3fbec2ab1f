import Statistics

/// Records of a model over a period.
struct RunCounts: Sendable {
  /// By ``InferenceStage/index``.
  private var stages = [HistogramCounts](repeating: HistogramCounts(), count: InferenceStage.allCases.count)
  /// Runs whose total was over the target that held then.
  var missed: UInt64 = 0
  /// Runs that ended in an error.
  var failures: UInt64 = 0

  subscript(stage: InferenceStage) -> HistogramCounts {
    get { stages[stage.index] }
    set { stages[stage.index] = newValue }
  }

  /// How many inferences came to an end.
  var runs: UInt64 { self[.total].count }

  var isEmpty: Bool { stages.allSatisfy(\.isEmpty) && failures == 0 }

  /// The share of runs that kept to the target; nil for no runs.
  var compliance: Double? { Self.compliance(runs: runs, missed: missed) }

  static func compliance(runs: UInt64, missed: UInt64) -> Double? {
    // One that is recorded at this moment may be missed before it is counted.
    runs > 0 ? 1 - Double(min(missed, runs)) / Double(runs) : nil
  }

  mutating func merge(_ other: RunCounts) {
    for index in stages.indices { stages[index].merge(other.stages[index]) }
    missed &+= other.missed
    failures &+= other.failures
  }
}
