import Apus
import Networks
import TensorCore

/// A model that was loaded for a comparison, with what loading it showed.
struct ModelEntry: Sendable {
  let specification: ModelSpecification
  let kind: ModelKind
  let model: any ComparedModel

  /// Loads a model and runs it once, so that no sample pays for the first run.
  /// - Parameter sample: what it is run on.
  init(
    _ specification: ModelSpecification, _ kind: ModelKind, _ loading: ModelLoading, sample: Sample
  ) throws(ApusError) {
    let model = try loading.load(specification, kind)
    guard model.classCount >= 2 else {
      throw ApusError(
        .unsupportedModel, "a model of one class", expected: "two or more to choose between", file: model.path
      )
    }
    try naming(model.path) { () throws(ApusError) in _ = try model.outputs(for: sample, preparedBy: nil) }
    self.specification = specification
    self.kind = kind
    self.model = model
  }

  /// For people: `folder, float16 weights, computed in bfloat16, on avx512bf16`.
  var description: String {
    let set = specification.instructionSet.map { ", on \($0)" } ?? ""
    return "\(kind.description), computed in \(model.computation.precision)\(set)"
  }
}
