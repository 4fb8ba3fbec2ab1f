import Models
import TensorCore

/// A tensor of a model's file, and how far apart the numbers are that it can hold.
struct StoredNumbers {
  let tensor: Tensor
  /// The scales of a tensor that was packed in groups.
  private let groups: GroupScales?

  init(_ tensor: Tensor, groups: GroupScales? = nil) {
    self.tensor = tensor
    self.groups = groups
  }

  /// The step between numbers, of several the root of their mean square; none of floats.
  var steps: [Float] {
    let steps = rowSteps
    return steps.isEmpty ? [] : [Self.typical(steps)]
  }

  /// The step between numbers in each row, of several the root of their mean square; one where all rows have the same,
  /// none of floats.
  var rowSteps: [Float] {
    guard let groups, groups.rows > 0 else { return steps(along: 0) }
    let count = groups.scales.count / groups.rows
    return (0..<groups.rows).map { Self.typical(groups.scales[($0 * count)..<(($0 + 1) * count)]) }
  }

  /// The step in each column, likewise.
  var columnSteps: [Float] {
    let columns = tensor.shape.dimensions.last ?? 1
    guard let groups, groups.rows > 0, groups.size > 0 else { return steps(along: tensor.shape.rank - 1) }
    let count = groups.scales.count / groups.rows
    let steps = (0..<count).map { group in
      Self.typical(stride(from: group, to: groups.scales.count, by: count).map { groups.scales[$0] })
    }
    return (0..<columns).map { steps[$0 / groups.size] }
  }

  private func steps(along axis: Int) -> [Float] {
    guard let quantization = tensor.quantization else { return [] }
    return quantization.axis == axis ? quantization.scales : [quantization.scales.max() ?? 0]
  }

  private static func typical(_ scales: some Collection<Float>) -> Float {
    (scales.reduce(0) { $0 + $1 * $1 } / Float(max(scales.count, 1))).squareRoot()
  }
}
