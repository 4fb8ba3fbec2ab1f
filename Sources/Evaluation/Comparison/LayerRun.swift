import Apus
import Networks
import Statistics
import TensorCore

/// Compares each model with the baseline layer by layer, on a few of the samples.
///
/// Both run on the baseline's inputs, so that what is found is of the layers and not of the preparation. Models of
/// texts have a network for each number of tokens that occurs; what is found adds up.
struct LayerRun {
  let comparison: Comparison
  /// Samples to run at most.
  let sampleCount: Int
  /// Whether the first operator that leaves a bound is looked for.
  let findsDivergence: Bool

  /// Samples that one network takes.
  private struct Batch {
    /// The first of them.
    let sample: Sample
    let shapes: [Shape]
    /// The baseline's inputs for each.
    var inputs: [[Tensor]]
  }

  /// - Throws: ``ApusError`` of kind `argument` when the inputs of two models are not of the same shapes.
  func reports() throws(ApusError) -> [LayerReport] {
    let baseline = comparison.entries[0].model
    let batches = batches(baseline)
    var reports: [LayerReport] = []
    for index in comparison.entries.indices.dropFirst() {
      let other = comparison.entries[index]
      var whole: LayerComparison?
      var bound: DivergenceBound?
      for batch in batches {
        let sources = (
          try baseline.layerSource(for: batch.sample, readBy: baseline),
          try other.model.layerSource(for: batch.sample, readBy: baseline)
        )
        let layers = try naming(other.specification.name) { () throws(ApusError) in
          try LayerComparison(baseline: sources.0, other: sources.1)
        }
        for inputs in batch.inputs { try layers.add(inputs) }
        if let whole {
          whole.add(layers)
        } else {
          whole = layers
          bound = findsDivergence ? DivergenceBound.standard(sources.0, sources.1) : nil
        }
      }
      if let whole { reports.append(try whole.report(baseline: 0, other: index, bound: bound)) }
    }
    return reports
  }

  private func batches(_ baseline: any ComparedModel) -> [Batch] {
    var batches: [Batch] = []
    for (sample, inputs) in takenSamples(by: baseline) {
      let shapes = inputs.map(\.shape)
      if let index = batches.firstIndex(where: { $0.shapes == shapes }) {
        batches[index].inputs.append(inputs)
      } else {
        batches.append(Batch(sample: sample, shapes: shapes, inputs: [inputs]))
      }
    }
    return batches
  }

  /// Samples that can be read and that the baseline takes, drawn like those of the comparison, and its inputs for each.
  /// Others are passed over, as the comparison does.
  private func takenSamples(by baseline: any ComparedModel) -> [(sample: Sample, inputs: [Tensor])] {
    var random = SplitMix64(seed: comparison.options.seed)
    let places = Array(comparison.items.indices)
    let most = min(sampleCount, places.count)
    let drawn = random.sample(comparison.task == .textClassification ? most : 2 * most, of: places)
    // All others are in reserve.
    let reserve = Set(places).subtracting(drawn).sorted()
    var taken: [(sample: Sample, inputs: [Tensor])] = []
    for place in drawn + reserve where taken.count < sampleCount {
      guard let sample = try? comparison.sample(comparison.items[place]),
        let inputs = try? baseline.layerInputs(for: sample)
      else { continue }
      taken.append((sample, inputs))
    }
    return taken
  }
}
