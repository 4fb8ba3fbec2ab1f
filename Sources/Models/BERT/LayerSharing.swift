import Formats
import TensorCore

/// How the layers of a stack share weights, as ALBERT's do.
///
/// Source: Lan et al. 2020, "ALBERT: A Lite BERT for Self-supervised Learning of Language Representations",
/// section 3.1, with transformers' groups.
struct LayerSharing: Sendable {
  /// Groups of layers with weights of their own, each run some times in a row.
  let groups: Int
  /// Layers of a group, one after the other.
  let layersOfGroup: Int
  /// How often a group is run, of all groups together.
  let turns: Int

  /// Layers that run, at most: the weights that a file has do not bound them.
  static let limit = 1024

  /// - Parameter turns: what `num_hidden_layers` says.
  init(_ reader: ConfigurationReader, turns: Int) throws(ApusError) {
    groups = try reader.size("num_hidden_groups", default: 1)
    layersOfGroup = try reader.size("inner_group_num", default: 1)
    self.turns = turns
    guard turns * layersOfGroup <= Self.limit else {
      let key = turns > Self.limit ? "num_hidden_layers" : "inner_group_num"
      throw reader.unexpected(
        key, reader.value(key), "\(Self.limit) layers at most: here they are \(turns * layersOfGroup)")
    }
  }

  /// The places of the layers' weights, in the order in which they run.
  /// - Parameter weights: those of all groups.
  func layers(_ weights: WeightPath) -> [WeightPath] {
    // In floats, as the library divides.
    let span = Double(turns) / Double(groups)
    return (0..<turns).flatMap { turn in
      let group = weights[Int(Double(turn) / span)]["albert_layers"]
      return (0..<layersOfGroup).map { group[$0] }
    }
  }
}
