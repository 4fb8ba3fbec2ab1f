/// What is needed to get the same figures again.
package struct Provenance: Sendable, Hashable {
  /// When the comparison began, in ISO 8601 with the offset of UTC.
  package var date: String
  /// The arguments of the command; empty when a program compared.
  package var arguments: [String]
  /// What the choice of samples and the bootstrap are drawn from.
  package var seed: UInt64
  /// Resamples of the bootstrap.
  package var resamples: Int
  /// The samples asked for at most; nil for all.
  package var limit: Int?
  package var threads: Int
  /// The processor's name, and the kernels that ran on it.
  package var processor: String
  package var kernelSet: String
  /// Whether Apus was built with optimisation: times of a debug build say nothing.
  package var isOptimized: Bool
  /// Names and versions of what took part: Apus, the operating system, libraries.
  package var versions: [Version]

  package struct Version: Sendable, Hashable {
    package var name: String
    package var version: String

    package init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  package init(
    date: String, arguments: [String], seed: UInt64, resamples: Int, limit: Int?, threads: Int,
    processor: String, kernelSet: String, isOptimized: Bool, versions: [Version]
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
  }
}
