import Graph
import TensorCore

extension WeightPath {
  /// A single number, stored with shape [] or [1].
  func scalar(_ name: String) throws(ApusError) -> Float {
    let tensor = try tensor(name, shape(of: name) == [1] ? [1] : [])
    guard let number = try tensor.floats().first, number.isFinite else {
      throw ApusError(
        .malformedModel, "is no finite number", expected: "one", at: "tensor '\(key(name))'",
        file: collection.path)
    }
    return number
  }

  /// The same, or nil when there is no tensor of that name.
  func scalarIfPresent(_ name: String) throws(ApusError) -> Float? {
    contains(name) ? try scalar(name) : nil
  }
}
