import CLibrary
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

  /// What a model with two towers multiplies cosines by: e to the number that it learned (Radford et al. 2021, figure 3).
  /// - Throws: ``ApusError`` of kind `malformedModel` where no float holds it.
  func learnedScale() throws(ApusError) -> Float {
    let name = "logit_scale"
    let learned = try scalar(name)
    let scale = exp(learned)
    guard scale.isFinite else {
      throw ApusError(
        .malformedModel, "is \(learned), to which power e is no finite number", expected: "at most 88",
        at: "tensor '\(key(name))'", file: collection.path)
    }
    return scale
  }
}
