import Apus
import Graph
import TensorCore

/// Compares what two matched layers have stored.
enum WeightComparison {
  /// Numbers in memory at a time.
  private static let block = 1 << 16

  /// How far the weights of one layer are from the other's, both as real numbers; nil when a layer has none, they
  /// are of different extents, or they are the same.
  /// - Parameter order: where the other has the baseline's classes; nil in the same places.
  static func difference(
    _ pair: LayerAlignment.Pair, _ baseline: Graph, _ other: Graph, order: ClassOrder?
  ) throws(ApusError) -> ValueDifference? {
    let tensors = (weights(of: pair.baselineNodes, in: baseline), weights(of: pair.otherNodes, in: other))
    guard !tensors.0.isEmpty, tensors.0.map(\.shape.elementCount) == tensors.1.map(\.shape.elementCount),
      !zip(tensors.0, tensors.1).allSatisfy({ $0.isSameMemory(as: $1) })
    else { return nil }
    var sums = DifferenceSums()
    for (a, b) in zip(tensors.0, tensors.1) {
      let stored = StoredNumbers(a)
      var nearest = try self.sums(stored, b)
      for arranged in stored.arranged(by: order) { nearest = nearest.nearer(try self.sums(arranged, b)) }
      sums.add(nearest)
    }
    return sums.difference
  }

  private static func sums(_ a: StoredNumbers, _ b: Tensor) throws(ApusError) -> DifferenceSums {
    var sums = DifferenceSums()
    for start in stride(from: 0, to: b.shape.elementCount, by: block) {
      let range = start..<min(start + block, b.shape.elementCount)
      sums.add(try a.realNumbers(range), try b.realNumbers(range))
    }
    return sums
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
