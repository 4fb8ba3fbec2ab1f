import TensorCore

/// Columns of a right operand as a model stores them, of `depth` elements each.
package struct StoredColumns {
  /// What follows what.
  package enum Order: Sendable {
    /// The columns one after the other: the matrix is stored as its transpose.
    case byColumns
    /// First elements of all columns, then second ones: the matrix is stored as it is, row by row.
    case byRows
  }

  package let bytes: UnsafeRawBufferPointer
  package let dataType: DataType
  package let count: Int
  package let order: Order
  /// For int8 elements what each column is multiplied by; empty for floats.
  package let scales: [Float]

  package init(
    _ bytes: UnsafeRawBufferPointer, _ dataType: DataType, count: Int, _ order: Order = .byColumns,
    scales: [Float] = []
  ) {
    self.bytes = bytes
    self.dataType = dataType
    self.count = count
    self.order = order
    self.scales = scales
  }
}
