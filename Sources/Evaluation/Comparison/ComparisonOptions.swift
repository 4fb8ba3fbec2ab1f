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
    public var templates: [String] = []
    /// How pictures are prepared, for all models; nil for each model's own way.
    public var profile: PreprocessingProfile?
    /// The rule for the numbers, in place of that of the profile.
    public var normalization: Normalization?
    /// What transparent pixels become, for all models.
    public var transparency = ImageOptions.Transparency.ignored
    /// Samples at most, drawn by ``seed``; nil for all.
    public var limit: Int?
    /// What samples and the bootstrap are drawn from.
    public var seed: UInt64 = 1
    /// Threads of a run; nil for as many as the process may use.
    public var threads: Int?
    /// Samples that go together, such as pictures of one photograph; nil takes each to stand alone.
    public var groups: Groups?
    /// The loss of accuracy, as a share, that is held against the intervals; nil for none.
    public var margin: Double?
    /// Resamples of the bootstrap.
    public var resamples = 10_000
    /// Whether usual causes of bad figures are looked for.
    public var looksForCulprits = true
    /// Samples on which layers are compared; nil for none.
    public var layerSamples: Int?
    /// Whether the first operator is looked for whose error leaves a bound.
    public var findsDivergence = false
    /// The arguments of the command, to be recorded.
    public var arguments: [String] = []

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
    public init(models: [String], data: String) {
      self.models = models
      self.data = data
    }
  }
}
