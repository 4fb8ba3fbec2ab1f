import Graph
import Models
import TensorCore

/// The stored tensors that two models have in common.
struct StoredPairs {
  /// One of them.
  struct Pair {
    let name: String
    let outline: Outline
    let baseline: () throws(ApusError) -> StoredNumbers
    let other: () throws(ApusError) -> StoredNumbers

    /// The layer that it belongs to.
    var layer: String { outline.layer }
  }

  /// A tensor of which only the extents are known.
  struct Outline {
    /// The layer that it belongs to.
    let layer: String
    let shape: [Int]
  }

  private(set) var pairs: [Pair] = []
  /// The other model's tensors without a counterpart.
  private(set) var unpaired: [Outline] = []
  /// Where the other model's layers stand.
  let places: LayerPlaces

  /// Of two folders, by their names.
  init(_ baseline: FolderWeights, _ other: FolderWeights) {
    places = .names
    for name in other.names {
      guard let shape = other.shape(of: name) else { continue }
      let outline = Outline(layer: name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name, shape: shape)
      guard baseline.shape(of: name) == shape else {
        unpaired.append(outline)
        continue
      }
      pairs.append(
        Pair(
          name: name, outline: outline,
          baseline: { () throws(ApusError) in try baseline.numbers(name) },
          other: { () throws(ApusError) in try other.numbers(name) }))
    }
  }

  /// Of two graphs, by the layers that they belong to.
  init(_ alignment: LayerAlignment, _ baseline: Graph, _ other: Graph) {
    places = LayerPlaces(other)
    /// The operands that have a counterpart, by their nodes.
    var paired: [Int: Set<Int>] = [:]
    for pair in alignment.pairs {
      guard let a = pair.baselineNodes.first, let b = pair.otherNodes.first,
        baseline.nodes[a].inputs.count == other.nodes[b].inputs.count
      else { continue }
      for (place, operands) in zip(baseline.nodes[a].inputs, other.nodes[b].inputs).enumerated() {
        guard let constant = operands.0.flatMap({ baseline[$0].constant }),
          let counterpart = operands.1.flatMap({ other[$0].constant }), constant.shape == counterpart.shape,
          constant.standsForNumbers, counterpart.standsForNumbers
        else { continue }
        let label = other.nodes[b].label
        paired[b, default: []].insert(place)
        pairs.append(
          Pair(
            name: "\(Self.roles[place] ?? "operand \(place)") of \(label)",
            outline: Outline(layer: label, shape: counterpart.shape.dimensions),
            baseline: { StoredNumbers(constant) },
            other: { StoredNumbers(counterpart) }))
      }
    }
    for (index, node) in other.nodes.enumerated() {
      for (place, operand) in node.inputs.enumerated() where paired[index]?.contains(place) != true {
        guard let constant = operand.flatMap({ other[$0].constant }), constant.standsForNumbers else {
          continue
        }
        unpaired.append(Outline(layer: node.label, shape: constant.shape.dimensions))
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
