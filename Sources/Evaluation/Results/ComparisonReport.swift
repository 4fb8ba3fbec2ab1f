import TensorCore

/// Everything that a comparison of two or more models found.
public struct ComparisonReport: Sendable {
  /// What the models do: classify pictures or texts among classes of their own, or pictures by labels that are written down.
  public var task: ModelTask
  /// The samples that they were compared on.
  public var data: DataReport
  /// The models in the order given; the first is the baseline.
  public var models: [ModelReport]
  /// Each other model against the baseline.
  public var pairs: [PairReport]
  /// All pairs of which neither is the baseline.
  public var furtherPairs: [ModelPair]
  /// Usual causes of bad figures that were found, the surest first.
  public var culprits: [Culprit]
  /// Layer by layer, for each pair for which that was asked.
  public var layers: [LayerReport]
  /// What is needed to get the same figures again.
  public var provenance: Provenance

  package init(
    task: ModelTask, data: DataReport, models: [ModelReport], pairs: [PairReport], culprits: [Culprit],
    layers: [LayerReport], provenance: Provenance, furtherPairs: [ModelPair] = []
  ) {
    self.task = task
    self.data = data
    self.models = models
    self.pairs = pairs
    self.furtherPairs = furtherPairs
    self.culprits = culprits
    self.layers = layers
    self.provenance = provenance
  }
}
