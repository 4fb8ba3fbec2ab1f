import TensorCore

/// The number format of packed weights, which is that of the products.
package enum WeightFormat: String, Sendable, CaseIterable {
  case float32, bfloat16, int8
  /// 8-bit weights with 16 bits, for rows of int16.
  case int16

  /// Bytes of a packed weight.
  package var elementBytes: Int { 4 / elementsPerGroup }

  /// Elements of one column that lie side by side in a panel, 4 bytes in all.
  var elementsPerGroup: Int {
    switch self {
    case .float32: 1
    case .bfloat16, .int16: 2
    case .int8: 4
    }
  }

  /// Groups of 4 bytes that a column of so many elements fills.
  func groups(_ depth: Int) -> Int { (depth + elementsPerGroup - 1) / elementsPerGroup }
}
