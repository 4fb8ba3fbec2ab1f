import Graph
import Networks
import TensorCore

/// What can be told of a model and the baseline without running them: their files, stored numbers and layers.
struct PairSearch {
  let settings: [SettingDifference]
  let culprits: [Culprit]
  /// An input that cannot hold what the baseline is given; another preparation explains as much.
  let inputRange: Culprit?

  /// - Parameters:
  ///   - other: the model's position.
  ///   - sample: one that both take.
  init(_ entries: [ModelEntry], other: Int, sample: Sample?) {
    let (baseline, model) = (entries[0], entries[other])
    let settings = SettingSearch.differences(baseline.kind, model.kind)
    self.settings = settings
    // One model at two precisions has one set of numbers.
    guard ExactText(baseline.model.path) != ExactText(model.model.path) else {
      (culprits, inputRange) = ([], nil)
      return
    }
    let graphs = Self.graphs(baseline.model, model.model, sample)
    let weights = Self.weights(baseline, model, graphs)
    var culprits = [weights?.culprit(other)]
    if let graphs, weights?.areForms ?? false {
      culprits.append(
        AttributeSearch(graphs.alignment, graphs.baseline, graphs.other).culprit(other, settings: settings))
    }
    inputRange = baseline.model.preprocessor.flatMap { given in
      model.model.preprocessor.flatMap { InputRangeCulprit.culprit(other, baseline: given, other: $0) }
    }
    self.culprits = culprits.compactMap(\.self)
  }

  private typealias Graphs = (alignment: LayerAlignment, baseline: Graph, other: Graph)

  /// The two networks and which layers are the same; nil where they take inputs of other shapes.
  private static func graphs(
    _ baseline: any ComparedModel, _ other: any ComparedModel, _ sample: Sample?
  ) -> Graphs? {
    guard let sample, let a = try? baseline.layerSource(for: sample, readBy: baseline).graph,
      let b = try? other.layerSource(for: sample, readBy: baseline).graph,
      let alignment = try? LayerAlignment(a, b)
    else { return nil }
    return (alignment, a, b)
  }

  private static func weights(_ baseline: ModelEntry, _ other: ModelEntry, _ graphs: Graphs?) -> WeightSearch?
  {
    let order = ClassOrder(other.model.classNames, baseline: baseline.model.classNames)
    if let a = baseline.kind.weights, let b = other.kind.weights {
      return WeightSearch(StoredPairs(a, b), order: order)
    }
    return graphs.map { WeightSearch(StoredPairs($0.alignment, $0.baseline, $0.other), order: order) }
  }
}
