import Graph
import TensorCore

/// What attention adds to its scaled products for how far a key stands from its query: a learned number for each head and
/// each bucket of distances.
///
/// Source: Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
/// Transformer", section 2.1, with the constants that MPNet has (Song et al. 2020, "MPNet: Masked and Permuted Pre-training").
final class RelativePositionBias: Sendable {
  /// Buckets: one half for keys at or before the query, the other for those behind it.
  static let buckets = 32
  /// Distances from here on share a bucket.
  private static let farthest = 128

  private let heads: Int
  private let rows: Int
  private let length: Int
  /// The numbers by distance, which the graphs of all shapes share; nil before the first.
  private let known = Lock<Tensor?>(nil)

  /// - Parameters:
  ///   - rows: of the learned table, at least ``buckets``.
  ///   - length: tokens of a text, at most.
  init(heads: Int, rows: Int, length: Int) {
    self.heads = heads
    self.rows = rows
    self.length = length
  }

  /// The mask of an ``Attention`` by distances, float32 [1, heads, 1, 2 · length − 1].
  /// - Parameter weights: those of the learned table.
  func mask(_ weights: WeightPath, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let numbers = try known.withLock { (known) throws(ApusError) -> Tensor in
      if let known { return known }
      let numbers = try byDistance(weights)
      known = numbers
      return numbers
    }
    return graph.constant("\(weights.key("weight")) by distance", numbers)
  }

  private func byDistance(_ weights: WeightPath) throws(ApusError) -> Tensor {
    let learned = try weights.tensor("weight", [rows, heads]).realNumbers()
    let buckets = ((1 - length)..<length).map { Self.bucket(of: $0) }
    var numbers: [Float] = []
    numbers.reserveCapacity(heads * buckets.count)
    for head in 0..<heads {
      for bucket in buckets { numbers.append(learned[bucket * heads + head]) }
    }
    return try Tensor(numbers, shape: Shape([1, heads, 1, buckets.count]))
  }

  /// The row of the learned table for a key that stands `distance` positions behind its query.
  ///
  /// Up to 7 each distance has a bucket; from 8 on they grow with its logarithm: ⌊8 · log₁₆(n / 8)⌋, which is
  /// ⌊log₂(n² / 64)⌋, in integers, so that nothing rounds at the bounds. transformers' float32 gives the same.
  static func bucket(of distance: Int) -> Int {
    let half = buckets / 2
    let exact = half / 2
    let first = distance > 0 ? half : 0
    let size = Int(min(distance.magnitude, UInt(farthest)))
    guard size >= exact else { return first + size }
    let power = Int.bitWidth - 1 - (size * size / (exact * exact)).leadingZeroBitCount
    return first + min(exact + power, half - 1)
  }
}
