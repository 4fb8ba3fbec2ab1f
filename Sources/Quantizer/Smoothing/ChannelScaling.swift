import CLibrary
import Formats
import Graph
import Models
import TensorCore

/// Factors by which rows and columns of stored tensors are multiplied before they are quantized; together they change
/// no result.
///
/// A row of activations has one scale, and a few large channels take it for themselves; weights have a scale for each
/// output, and bear large channels better. So each channel between two layers is divided by
/// `largestActivation^α / largestWeight^(1−α)` where it is made, and the weights that use it are multiplied. The
/// factors are the nearest powers of two, with which floats are multiplied without rounding.
///
/// Source: Xiao et al. 2023, "SmoothQuant: Accurate and Efficient Post-Training Quantization for Large Language
/// Models", equation 4.
struct ChannelScaling: Sendable {
  /// Of a tensor's rows, or of the elements of a vector.
  private var rows: [ExactText: [Float]] = [:]
  /// Of a matrix's columns.
  private var columns: [ExactText: [Float]] = [:]

  /// Exponents outside would bring small numbers near those that floats cannot hold.
  private static let exponents: ClosedRange<Float> = -10...10

  /// Without factors.
  init() {}

  /// - Parameter strength: α, from 0, where only the weights count, to 1, where only the activations do.
  init(
    _ groups: [ScalableChannels], _ statistics: ChannelStatistics, _ weights: SafetensorsCollection,
    strength: Float
  ) throws(ApusError) {
    for group in groups where !isScaled(group) {
      guard let factors = try Self.factors(group, statistics, weights, strength) else { continue }
      for consumer in group.consumers { columns[ExactText(consumer)] = factors }
      for slice in group.producers {
        let count = weights[slice.tensor]?.shape.first ?? 0
        var all = rows[ExactText(slice.tensor)] ?? [Float](repeating: 1, count: count)
        for (row, factor) in zip(slice.rows, factors) { all[row] = 1 / factor }
        rows[ExactText(slice.tensor)] = all
      }
    }
  }

  var isEmpty: Bool { rows.isEmpty && columns.isEmpty }

  /// The factors of a tensor; nil when it stays.
  func factors(of name: String) -> TensorFactors? {
    let (rows, columns) = (rows[ExactText(name)], columns[ExactText(name)])
    return rows == nil && columns == nil ? nil : TensorFactors(rows: rows, columns: columns)
  }

  /// The factors of a linear layer's columns.
  func factors(of matrices: [WeightSource]) -> [Float] {
    matrices.flatMap { slice in
      rows[ExactText(slice.tensor)].map { Array($0[slice.rows]) }
        ?? [Float](repeating: 1, count: slice.rows.count)
    }
  }

  /// The factors of a matrix's columns, from the least to the greatest; nil when there are none.
  func range(of matrix: String) -> ClosedRange<Float>? {
    guard let factors = columns[ExactText(matrix)], let least = factors.min(), let greatest = factors.max()
    else {
      return nil
    }
    return least...greatest
  }

  /// Whether a tensor of the group has its factors from another group already, as the other tower may share it.
  private func isScaled(_ group: ScalableChannels) -> Bool {
    group.consumers.contains { columns[ExactText($0)] != nil }
      || group.producers.contains { slice in
        rows[ExactText(slice.tensor)]?[slice.rows].contains { $0 != 1 } ?? false
      }
  }

  private static func factors(
    _ group: ScalableChannels, _ statistics: ChannelStatistics, _ weights: SafetensorsCollection,
    _ strength: Float
  ) throws(ApusError) -> [Float]? {
    let channels = group.consumers.compactMap { statistics[$0] }
    guard channels.count == group.consumers.count, let count = channels.first?.largest.count,
      group.producers.allSatisfy({ $0.rows.count == count })
    else { return nil }
    var activations = [Float](repeating: 0, count: count)
    for channels in channels { activations = zip(activations, channels.largest).map(max) }
    var largest = [Float](repeating: 0, count: count)
    for name in group.consumers {
      let tensor = try weights.tensor(name)
      guard tensor.dataType.isFloat, tensor.shape.dimensions.last == count else { return nil }
      try FloatChunks(tensor, named: name).forEach(multipleOf: count) { (_, chunk) throws(ApusError) in
        for (place, value) in chunk.enumerated() {
          largest[place % count] = max(largest[place % count], abs(value))
        }
      }
    }
    return zip(activations, largest).map { activation, weight in
      let exponent = (strength * log2(activation) - (1 - strength) * log2(weight)).rounded()
      return exponent.isFinite
        ? exp2(min(max(exponent, exponents.lowerBound), exponents.upperBound)) : 1
    }
  }
}
