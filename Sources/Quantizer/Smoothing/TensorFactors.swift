/// Factors of one stored tensor: of its rows or elements, and of its columns.
struct TensorFactors: Sendable {
  let rows: [Float]?
  let columns: [Float]?

  /// Multiplies elements of the tensor.
  /// - Parameters:
  ///   - first: the index of the first of them in the tensor.
  ///   - width: elements of a row.
  func multiply(_ values: inout [Float], first: Int, width: Int) {
    guard width > 0 else { return }
    for place in values.indices {
      let (row, column) = (first + place).quotientAndRemainder(dividingBy: width)
      if let rows { values[place] *= rows[row] }
      if let columns { values[place] *= columns[column] }
    }
  }
}
