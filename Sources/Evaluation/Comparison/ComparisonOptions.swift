import Images

extension Comparison {
  /// What is compared on what, and how.
  package struct Options: Sendable {
    /// Files, folders or repositories, with `@` and how they are computed; the baseline first.
    package var models: [String]
    /// A folder or a list of samples.
    package var data: String
    /// A file that names the data's classes by index or synset.
    package var classes: String?
    /// Names of the models' classes in place of their own; the labels, for models that take any.
    package var labels: GivenLabels?
    /// Sentences with `{}` where a label goes, for such models.
    package var templates: [String] = []
    /// How pictures are prepared, for all models; nil for each model's own way.
    package var profile: PreprocessingProfile?
    /// The rule for the numbers, in place of that of the profile.
    package var normalization: Normalization?
    /// Samples at most, drawn by ``seed``; nil for all.
    package var limit: Int?
    /// What samples and the bootstrap are drawn from.
    package var seed: UInt64 = 1
    /// Threads of a run; nil for as many as the process may use.
    package var threads: Int?
    /// Resamples of the bootstrap.
    package var resamples = 10_000
    /// Whether usual causes of bad figures are looked for.
    package var looksForCulprits = true
    /// Samples on which layers are compared; nil for none.
    package var layerSamples: Int?
    /// Whether the first operator is looked for whose error leaves a bound.
    package var findsDivergence = false
    /// The arguments of the command, to be recorded.
    package var arguments: [String] = []

    package init(models: [String], data: String) {
      self.models = models
      self.data = data
    }
  }
}
