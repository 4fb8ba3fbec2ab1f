import Apus
import Images
import TensorCore

/// How the models of a comparison are loaded.
struct ModelLoading: Sendable {
  var threads: Int?
  /// Names of the classes in place of the models' own; of models that take any labels, the labels.
  var labels: GivenLabels?
  /// The labels for such models when none are given.
  var dataLabels: [String] = []
  var templates: [String] = []
  /// How pictures are prepared, for all models; nil for each model's own way.
  var profile: PreprocessingProfile?
  var normalization: Normalization?

  /// - Throws: ``ApusError`` when the model cannot be used, or needs labels and there are none.
  func load(_ specification: ModelSpecification, _ kind: ModelKind) throws(ApusError) -> any ComparedModel {
    let inference = specification.inference(threads: threads)
    switch kind.task {
    case .textClassification:
      return try ComparedTextClassifier(specification.path, labels: labels, inference: inference)
    case .zeroShot:
      let names = try labels?.names() ?? dataLabels
      guard !names.isEmpty else {
        throw ApusError(
          .argument, "no labels for \(specification.name)", expected: "labels to choose between",
          advice: "Give them with \(Setting.labels), as text or as a file.")
      }
      return try ComparedZeroShotClassifier(
        specification.path, labels: names, templates: templates, profile: profile,
        normalization: normalization,
        inference: inference)
    case .imageClassification:
      let file = try labels.map { labels throws(ApusError) in try labels.file() }
      return try ComparedImageClassifier(
        specification.path, labels: file, profile: profile, normalization: normalization, inference: inference
      )
    case .imageEmbedding, .textEmbedding, .tensors:
      throw ApusError(
        .unsupportedModel, "a model for \(kind.task.rawValue)", expected: "one that gives classes",
        file: specification.path)
    }
  }
}
