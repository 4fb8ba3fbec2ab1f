import Apus
import Images

extension Comparison {
  /// What is compared on what, and how.
  public struct Options: Sendable {
    /// Files, folders or repositories, with `@` and how they are computed; the baseline first.
    public var models: [String]
    /// A folder or a list of samples.
    public var data: String
    /// A file that names the data's classes by index or synset.
    public var classes: String?
    /// Names of the models' classes in place of their own; the labels, for models that take any.
    public var labels: GivenLabels?
    /// Sentences with `{}` where a label goes, for such models.
    public var templates: [String]
    /// How pictures are prepared, for all models; nil for each model's own way.
    public var profile: PreprocessingProfile?
    /// The rule for the numbers, in place of that of the profile.
    public var normalization: Normalization?
    /// What transparent pixels become, for all models.
    public var transparency: ImageOptions.Transparency
    /// Samples at most, drawn by ``seed``; nil for all.
    public var limit: Int?
    /// What samples and the bootstrap are drawn from.
    public var seed: UInt64
    /// Threads of a run; nil for as many as the process may use.
    public var threads: Int?
    /// Samples that go together, such as pictures of one photograph; nil takes each to stand alone.
    public var groups: Groups?
    /// The loss of accuracy, as a share, that is held against the intervals; nil for none.
    public var margin: Double?
    /// Resamples of the bootstrap.
    public var resamples: Int
    /// Whether usual causes of bad figures are looked for.
    public var looksForCulprits: Bool
    /// Samples on which layers are compared; nil for none.
    public var layerSamples: Int?
    /// Whether the first operator is looked for whose error leaves a bound.
    public var findsDivergence: Bool
    /// The arguments of the command, to be recorded.
    public var arguments: [String]

    /// What says which samples go together.
    public enum Groups: Sendable, Hashable {
      /// A CSV or TSV file of sample and group, or of a group for each sample of a list, in its order.
      case file(String)
      /// Samples that look or read alike.
      case copies
    }

    /// - Parameters:
    ///   - models: files, folders or repositories; the baseline first.
    ///   - data: a folder or a list of samples.
    ///   - classes: a file that names the data's classes by index or synset.
    ///   - labels: names of the models' classes in place of their own.
    ///   - templates: sentences with `{}` where a label goes.
    ///   - profile: how pictures are prepared, for all models.
    ///   - normalization: the rule for the numbers, in place of that of the profile.
    ///   - transparency: what transparent pixels become.
    ///   - limit: samples at most, drawn by the seed.
    ///   - seed: what samples and the bootstrap are drawn from.
    ///   - threads: threads of a run; nil for as many as the process may use.
    ///   - groups: samples that go together.
    ///   - margin: the loss of accuracy, as a share, that is held against the intervals.
    ///   - resamples: resamples of the bootstrap.
    ///   - looksForCulprits: whether usual causes of bad figures are looked for.
    ///   - layerSamples: samples on which layers are compared.
    ///   - findsDivergence: whether the first operator is looked for whose error leaves a bound.
    ///   - arguments: the arguments of the command, to be recorded.
    public init(
      models: [String], data: String, classes: String? = nil, labels: GivenLabels? = nil,
      templates: [String] = [], profile: PreprocessingProfile? = nil, normalization: Normalization? = nil,
      transparency: ImageOptions.Transparency = .ignored, limit: Int? = nil, seed: UInt64 = 1,
      threads: Int? = nil, groups: Groups? = nil, margin: Double? = nil, resamples: Int = 10_000,
      looksForCulprits: Bool = true, layerSamples: Int? = nil, findsDivergence: Bool = false,
      arguments: [String] = []
    ) {
      (self.models, self.data, self.classes, self.labels) = (models, data, classes, labels)
      (self.templates, self.profile, self.normalization) = (templates, profile, normalization)
      (self.transparency, self.limit, self.seed, self.threads) = (transparency, limit, seed, threads)
      (self.groups, self.margin, self.resamples) = (groups, margin, resamples)
      (self.looksForCulprits, self.layerSamples) = (looksForCulprits, layerSamples)
      (self.findsDivergence, self.arguments) = (findsDivergence, arguments)
    }
  }
}
