import Apus
import Graph
import TensorCore

/// Compares what two matched layers have stored.
enum WeightComparison {
  /// Numbers in memory at a time.
  private static let block = 1 << 16

  /// How far the weights of one layer are from the other's, both as real numbers; nil when a layer has none, they
  /// are of different extents, or they are the same.
  static func difference(
    _ pair: LayerAlignment.Pair, _ baseline: Graph, _ other: Graph
  ) throws(ApusError) -> ValueDifference? {
    let tensors = (weights(of: pair.baselineNodes, in: baseline), weights(of: pair.otherNodes, in: other))
    guard !tensors.0.isEmpty, tensors.0.map(\.shape.elementCount) == tensors.1.map(\.shape.elementCount),
      !zip(tensors.0, tensors.1).allSatisfy({ $0.isSameMemory(as: $1) })
    else { return nil }
    var sums = DifferenceSums()
    for (a, b) in zip(tensors.0, tensors.1) {
      for start in stride(from: 0, to: a.shape.elementCount, by: block) {
        let range = start..<min(start + block, a.shape.elementCount)
        sums.add(try a.realNumbers(range), try b.realNumbers(range))
      }
    }
    return sums.difference
  }

  /// The constants that stand for real numbers and are more than one for each channel.
  private static func weights(of nodes: [Int], in graph: Graph) -> [Tensor] {
    nodes.flatMap { graph.nodes[$0].inputs }.compactMap { $0.flatMap { graph[$0].constant } }.filter {
      $0.shape.rank >= 2 && ($0.dataType.isFloat || $0.quantization != nil)
    }
  }
}

extension Tensor {
  fileprivate func isSameMemory(as other: Tensor) -> Bool {
    type == other.type && storage === other.storage && byteOffset == other.byteOffset
  }
}
