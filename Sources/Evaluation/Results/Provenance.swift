import Kernels
import TensorCore

/// What is needed to get the same figures again.
public struct Provenance: Sendable, Hashable {
  /// When the comparison began, in ISO 8601 with the offset of UTC.
  public var date: String
  /// The arguments of the command; empty when a program compared.
  public var arguments: [String]
  /// What the choice of samples and the bootstrap are drawn from.
  public var seed: UInt64
  /// Resamples of the bootstrap.
  public var resamples: Int
  /// The samples asked for at most; nil for all.
  public var limit: Int?
  /// Threads of a run.
  public var threads: Int
  /// The processor's name, and the kernels that ran on it.
  public var processor: String
  /// The instruction sets whose kernels ran.
  public var kernelSet: String
  /// Whether Apus was built with optimisation: times of a debug build say nothing.
  public var isOptimized: Bool
  /// The share of the machine's processors that other programs used meanwhile; nil where the system does not tell.
  public var otherLoad: Double?
  /// Names and versions of what took part: Apus, the operating system, libraries.
  public var versions: [Version]

  /// What took part in the comparison.
  public struct Version: Sendable, Hashable {
    /// What it is.
    public var name: String
    /// Its version.
    public var version: String

    package init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  package init(
    date: String, arguments: [String], seed: UInt64, resamples: Int, limit: Int?, threads: Int,
    processor: String, kernelSet: String, isOptimized: Bool, versions: [Version],
    otherLoad: Double? = nil
  ) {
    self.date = date
    self.arguments = arguments
    self.seed = seed
    self.resamples = resamples
    self.limit = limit
    self.threads = threads
    self.processor = processor
    self.kernelSet = kernelSet
    self.isOptimized = isOptimized
    self.versions = versions
    self.otherLoad = otherLoad
  }

  /// What makes times doubtful, in a sentence; nil where nothing does.
  package var remarkOnLoad: String? {
    guard let otherLoad, otherLoad > MachineLoad.doubtful else { return nil }
    return
      "Other programs used \((100 * otherLoad).printed("%.0f")) % of this machine's processors meanwhile: times are in "
      + "doubt, and their ratios less so."
  }
}
