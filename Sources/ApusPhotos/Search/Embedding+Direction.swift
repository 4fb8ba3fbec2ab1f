import Apus
import TensorCore

extension Embedding {
  /// The values at length 1, to be added to a query.
  /// - Parameter width: of the vectors of the index.
  /// - Throws: ``ApusError`` of kind `argument` for a vector that no photograph can be compared with.
  func direction(width: Int) throws(ApusError) -> [Float] {
    try validate(width: width, as: "those of the index")
    guard values.contains(where: { $0 != 0 }) else {
      throw ApusError(.argument, "a vector of zeros in the query", expected: "one with a direction")
    }
    return unit.values
  }
}
