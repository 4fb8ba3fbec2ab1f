import TensorCore

extension Tensor {
  /// The elements of a float32 tensor, one array for each index of its first axis.
  package func rows() throws(ApusError) -> [[Float]] {
    let values = try elements(of: Float.self)
    guard let count = shape.dimensions.first, count > 0 else { return [] }
    let width = values.count / count
    return (0..<count).map { Array(values[($0 * width)..<(($0 + 1) * width)]) }
  }
}
