/// Everything that a comparison of two or more models found.
package struct ComparisonReport: Sendable {
  package var task: ComparisonTask
  package var data: DataReport
  /// The models in the order given; the first is the baseline.
  package var models: [ModelReport]
  /// Each other model against the baseline.
  package var pairs: [PairReport]
  /// Usual causes of bad figures that were found, the surest first.
  package var culprits: [Culprit]
  /// Layer by layer, for each pair for which that was asked.
  package var layers: [LayerReport]
  package var provenance: Provenance

  package init(
    task: ComparisonTask, data: DataReport, models: [ModelReport], pairs: [PairReport], culprits: [Culprit],
    layers: [LayerReport], provenance: Provenance
  ) {
    self.task = task
    self.data = data
    self.models = models
    self.pairs = pairs
    self.culprits = culprits
    self.layers = layers
    self.provenance = provenance
  }
}

/// What the models of a comparison do.
package enum ComparisonTask: String, Sendable, CaseIterable {
  case imageClassification
  case textClassification
  /// Pictures against labels that are written down, by models with two towers.
  case zeroShot
}
