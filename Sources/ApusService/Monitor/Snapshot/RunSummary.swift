/// The outcomes of a model's inferences over a period.
public struct RunSummary: Sendable, Hashable, Codable {
  /// How many came to an end.
  public let runs: UInt64
  /// How many ended in an error; they are in no other number.
  public let failures: UInt64
  /// How many runs took longer than the target.
  public let missed: UInt64
  /// The share of runs that kept to the target, from 0 to 1, which is 1 for a model without one; nil for no runs.
  public let compliance: Double?
  /// The times of the stages that were recorded.
  public let stages: [InferenceStage: LatencySummary]

  init(_ counts: RunCounts) {
    (runs, failures, compliance) = (counts.runs, counts.failures, counts.compliance)
    missed = min(counts.missed, counts.runs)
    let stages = InferenceStage.allCases.compactMap { stage in
      LatencySummary(counts[stage]).map { (stage, $0) }
    }
    self.stages = Dictionary(uniqueKeysWithValues: stages)
  }
}
