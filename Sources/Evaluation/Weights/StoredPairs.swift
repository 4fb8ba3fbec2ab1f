import Graph
import Models
import TensorCore

/// The stored tensors that two models have in common.
struct StoredPairs {
  /// One of them.
  struct Pair {
    let name: String
    /// The layer that it belongs to.
    let layer: String
    let baseline: () throws(ApusError) -> StoredNumbers
    let other: () throws(ApusError) -> StoredNumbers
  }

  let pairs: [Pair]

  /// Of two folders, by their names.
  init(_ baseline: FolderWeights, _ other: FolderWeights) {
    pairs = other.names.compactMap { name in
      guard let shape = other.shape(of: name), baseline.shape(of: name) == shape else { return nil }
      return Pair(
        name: name, layer: name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name,
        baseline: { () throws(ApusError) in try baseline.numbers(name) },
        other: { () throws(ApusError) in try other.numbers(name) })
    }
  }

  /// Of two graphs, by the layers that they belong to.
  init(_ alignment: LayerAlignment, _ baseline: Graph, _ other: Graph) {
    pairs = alignment.pairs.flatMap { pair -> [Pair] in
      guard let a = pair.baselineNodes.first, let b = pair.otherNodes.first,
        baseline.nodes[a].inputs.count == other.nodes[b].inputs.count
      else { return [] }
      return zip(baseline.nodes[a].inputs, other.nodes[b].inputs).enumerated().compactMap { place, operands in
        guard let constant = operands.0.flatMap({ baseline[$0].constant }),
          let counterpart = operands.1.flatMap({ other[$0].constant }), constant.shape == counterpart.shape,
          constant.standsForNumbers, counterpart.standsForNumbers
        else { return nil }
        return Pair(
          name: "\(Self.roles[place] ?? "operand \(place)") of \(other.nodes[b].label)",
          layer: other.nodes[b].label,
          baseline: { StoredNumbers(constant) },
          other: { StoredNumbers(counterpart) })
      }
    }
  }

  /// What converters make of names of constants is no name for people.
  private static let roles = [1: "weights", 2: "bias"]
}

extension Tensor {
  /// Whether the elements are real numbers, stored as such or with scales.
  fileprivate var standsForNumbers: Bool { dataType.isFloat || quantization != nil }
}

extension FolderWeights {
  fileprivate func numbers(_ name: String) throws(ApusError) -> StoredNumbers {
    StoredNumbers(try tensor(name), groups: try groupScales(name))
  }
}
