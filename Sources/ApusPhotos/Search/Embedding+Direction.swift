import Apus
import TensorCore

extension Embedding {
  /// The values at length 1, to be added to a query.
  /// - Parameter width: of the vectors of the index.
  /// - Throws: ``ApusError`` of kind `argument` for a vector that no photograph can be compared with.
  func direction(width: Int) throws(ApusError) -> [Float] {
    guard values.count == width else {
      throw ApusError(
        .argument, "a vector of \(values.count) numbers in the query",
        expected: "\(width), as those of the index have")
    }
    if let bad = values.firstIndex(where: { !$0.isFinite }) {
      throw ApusError(
        .argument, "number \(bad) of a vector in the query is \(values[bad])", expected: "a finite number")
    }
    guard values.contains(where: { $0 != 0 }) else {
      throw ApusError(.argument, "a vector of zeros in the query", expected: "one with a direction")
    }
    return unit.values
  }
}
