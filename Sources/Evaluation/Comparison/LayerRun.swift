import Apus
import Networks
import Statistics
import TensorCore

/// Compares each model with the baseline layer by layer, on a few of the samples.
///
/// Both run on the baseline's inputs, so that what is found is of the layers and not of the preparation. Models of
/// texts run on texts of as many tokens as the first, for which their graphs are the same.
struct LayerRun {
  let comparison: Comparison
  /// Samples to run at most.
  let sampleCount: Int
  /// Whether the first operator that leaves a bound is looked for.
  let findsDivergence: Bool

  /// - Throws: ``ApusError`` of kind `argument` when the inputs of two models are not of the same shapes.
  func reports() throws(ApusError) -> [LayerReport] {
    let samples = readable()
    guard let first = samples.first else { return [] }
    var reports: [LayerReport] = []
    for index in comparison.entries.indices.dropFirst() {
      let (baseline, other) = (comparison.entries[0].model, comparison.entries[index].model)
      let sources = (
        try baseline.layerSource(for: first, readBy: baseline),
        try other.layerSource(for: first, readBy: baseline)
      )
      let layers = try naming(comparison.entries[index].specification.name) { () throws(ApusError) in
        try LayerComparison(baseline: sources.0, other: sources.1)
      }
      let shapes = try baseline.layerInputs(for: first).map(\.shape)
      for sample in samples where layers.sampleCount < sampleCount {
        let inputs = try baseline.layerInputs(for: sample)
        if inputs.map(\.shape) == shapes { try layers.add(inputs) }
      }
      let bound = findsDivergence ? DivergenceBound.standard(sources.0, sources.1) : nil
      reports.append(try layers.report(baseline: 0, other: index, bound: bound))
    }
    return reports
  }

  /// Samples that can be read, drawn like those of the comparison; of texts many, as few have one length.
  private func readable() -> [Sample] {
    var random = SplitMix64(seed: comparison.options.seed)
    let isText = comparison.task == .textClassification
    let chosen = random.sample(isText ? 64 * sampleCount : 2 * sampleCount, of: comparison.items)
    let samples = chosen.lazy.compactMap { try? Sample($0.content) }
    return Array(isText ? samples.prefix(.max) : samples.prefix(sampleCount))
  }
}
