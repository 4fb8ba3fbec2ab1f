import Graph
import TensorCore

/// What attention in windows adds to its scaled products: a learned number for each head and each step in rows and columns
/// from a query to a key, and one that hides what was not beside the query in the picture.
///
/// Source: Liu et al. 2021, "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows", sections 3.2 and 3.3.
final class WindowPositionBias: Sendable {
  /// What hides a key, as the library has it: so little that a share of none is left of most.
  private static let hiding: Float = -100

  /// The numbers of each layer, which the graphs of all batches share.
  private let known = Lock<[ExactText: Tensor]>([:])

  /// The mask of an ``Attention`` by positions, float32 [kinds of windows, heads, area, area].
  /// - Parameter weights: where the learned table [steps, heads] is.
  func mask(
    _ weights: WeightPath, heads: Int, _ partition: WindowPartition, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let key = ExactText(weights.key(Self.table))
    let numbers = try known.withLock { (known) throws(ApusError) -> Tensor in
      if let numbers = known[key] { return numbers }
      let learned = try weights.tensor(Self.table, [partition.steps, heads]).realNumbers()
      let numbers = try Self.byPosition(learned, heads: heads, partition)
      known[key] = numbers
      return numbers
    }
    return graph.constant("\(key) by position", numbers)
  }

  private static let table = "relative_position_bias_table"

  private static func byPosition(
    _ learned: [Float], heads: Int, _ partition: WindowPartition
  ) throws(ApusError) -> Tensor {
    let (area, kinds) = (partition.area, partition.kinds)
    var steps: [Int] = []
    steps.reserveCapacity(area * area)
    for query in 0..<area {
      for key in 0..<area { steps.append(heads * partition.step(query: query, key: key)) }
    }
    var numbers: [Float] = []
    numbers.reserveCapacity(kinds.count * heads * steps.count)
    for kind in kinds {
      var hidden: [Float] = []
      hidden.reserveCapacity(steps.count)
      for query in 0..<area {
        for key in 0..<area { hidden.append(partition.hides(key, from: query, in: kind) ? hiding : 0) }
      }
      for head in 0..<heads {
        for pair in steps.indices { numbers.append(learned[steps[pair] + head] + hidden[pair]) }
      }
    }
    return try Tensor(numbers, shape: Shape([kinds.count, heads, area, area]))
  }
}
