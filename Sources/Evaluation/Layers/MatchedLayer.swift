import Graph
import TensorCore

/// A pair of values that both compiled graphs have in memory while they run.
struct MatchedLayer {
  let pair: LayerAlignment.Pair
  /// The node of either compiled graph that writes the value; −1 for inputs.
  let baselineNode: Int
  let otherNode: Int
  /// The part of the other graph that computes this value from other matched ones; nil for inputs, and where it
  /// cannot be run alone.
  var segment: LayerSegment?

  var isInput: Bool { otherNode < 0 }

  /// The pairs of an alignment that two compiled graphs still have, in the other's run order, inputs first.
  static func layers(
    _ alignment: LayerAlignment, _ baseline: CompiledModel, _ other: CompiledModel
  ) -> [MatchedLayer] {
    let origins = (ValueOrigins(baseline.graph), ValueOrigins(other.graph))
    var layers = alignment.pairs.compactMap { pair -> MatchedLayer? in
      guard baseline.holds(pair.baseline), other.holds(pair.other) else { return nil }
      return MatchedLayer(
        pair: pair, baselineNode: origins.0.producers[pair.baseline.index] ?? -1,
        otherNode: origins.1.producers[pair.other.index] ?? -1)
    }
    layers.sort { $0.otherNode < $1.otherNode }
    let positions = Dictionary(layers.enumerated().map { ($1.pair.other, $0) }) { first, _ in first }
    for index in layers.indices where !layers[index].isInput {
      layers[index].segment = LayerSegment(
        to: layers[index].otherNode, in: other.graph, origins.1, positions: positions)
    }
    return layers
  }
}
