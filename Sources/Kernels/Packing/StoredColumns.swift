import TensorCore

/// Columns of a right operand as a model stores them: each `depth` elements that lie side by side, the
/// columns one after the other.
package struct StoredColumns {
  package let bytes: UnsafeRawBufferPointer
  package let dataType: DataType
  package let count: Int
  /// For int8 elements what each column is multiplied by; empty for floats.
  package let scales: [Float]

  package init(_ bytes: UnsafeRawBufferPointer, _ dataType: DataType, count: Int, scales: [Float] = []) {
    self.bytes = bytes
    self.dataType = dataType
    self.count = count
    self.scales = scales
  }
}
