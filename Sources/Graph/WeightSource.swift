import TensorCore

/// Where the elements of a constant were read: some rows of a tensor in a file.
///
/// It stays with a constant whose elements are stored or arranged otherwise, so that what is done with a stored
/// tensor is found without its name standing in that of a value.
package struct WeightSource: Hashable, Sendable {
  /// The name of the stored tensor.
  package let tensor: String
  /// The slices of its outermost axis.
  package let rows: Range<Int>
  /// Whether the constant's elements stand in another order than the stored ones.
  package private(set) var isReordered = false

  package init(_ tensor: String, rows: Range<Int>) {
    self.tensor = tensor
    self.rows = rows
  }

  /// The same elements in another order.
  package var reordered: WeightSource {
    var source = self
    source.isReordered = true
    return source
  }

  /// What an operation of this kind makes of the elements' source; nil when it computes others.
  func after(_ meaning: ResultMeaning) -> WeightSource? {
    switch meaning {
    case .sameNumbers: return self
    case .reorderedNumbers: return reordered
    default: return nil
    }
  }
}
