import Images
import TensorCore

extension ModelQuantizer {
  /// The type of a model's weights, and how they get it.
  public struct Options: Sendable {
    /// The form in which weights are to be stored.
    public var target: QuantizationTarget
    /// Of a file of int8 weights: the type in which it computes; nil for int8.
    public var activations: ActivationType?
    /// A folder or file with samples of what the model will be given: pictures, `.npy` files of the input's shape, or
    /// texts, one on each line of a `.txt` or `.tsv` file. For int8 only, where a `.tflite` file needs it, and a folder
    /// errs less with it.
    public var calibration: String?
    /// Of a folder in int4: columns that have a scale in common, a multiple of 8; nil for the one, 32
    /// at most, with which the model takes the fewest bytes.
    public var groupSize: Int?
    /// Shell patterns of the names of what does not become integers: weights of a folder; operators of a file, by their own
    /// names or those of their results or weights.
    public var kept: [String]
    /// What a search found for the model: the layers that it takes are kept, and the card says why.
    public var mixture: MixtureReport?
    /// Of a file: the ways to the ranges of activations that are tried; nil for all.
    public var methods: [RangeMethod]?
    /// Of a file: whether inputs and outputs of an int8 model stay float32.
    public var takesFloats: Bool
    /// Of a file: how pictures are prepared; nil for as its classifier prepares them.
    public var preprocessing: PreprocessingProfile?
    /// Whether a model that is there already is replaced. Nothing else ever is.
    public var replaces: Bool
    /// Threads that may be used, at least 1.
    public var threads: Int
    /// Told what is being done, where that takes long.
    public var progress: @Sendable (String) -> Void
    /// Of a file that is quantized several times with the same samples.
    var memory: ObservationMemory?

    /// - Parameters:
    ///   - target: the form in which weights are to be stored.
    ///   - activations: of a file of int8 weights: the type in which it computes.
    ///   - calibration: a folder or file with samples of what the model will be given; for int8 only.
    ///   - groupSize: of a folder in int4: columns that have a scale in common.
    ///   - kept: shell patterns of the names of what does not become integers.
    ///   - mixture: what a search found for the model.
    ///   - methods: of a file: the ways to the ranges of activations that are tried.
    ///   - takesFloats: of a file: whether inputs and outputs of an int8 model stay float32.
    ///   - preprocessing: of a file: how pictures are prepared.
    ///   - replaces: whether a model that is there already is replaced.
    ///   - threads: threads that may be used, at least 1.
    ///   - progress: told what is being done, where that takes long.
    public init(
      _ target: QuantizationTarget, activations: ActivationType? = nil, calibration: String? = nil,
      groupSize: Int? = nil, kept: [String] = [], mixture: MixtureReport? = nil,
      methods: [RangeMethod]? = nil, takesFloats: Bool = false, preprocessing: PreprocessingProfile? = nil,
      replaces: Bool = false, threads: Int = 1, progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      (self.target, self.activations, self.calibration) = (target, activations, calibration)
      (self.groupSize, self.kept, self.mixture, self.methods) = (groupSize, kept, mixture, methods)
      (self.takesFloats, self.preprocessing) = (takesFloats, preprocessing)
      (self.replaces, self.threads, self.progress) = (replaces, threads, progress)
    }

    func ofFile() throws(ApusError) -> TFLiteQuantizer.Options {
      try requireIntegersToKeep()
      try requireInt4ForGroups()
      guard activations == nil || target == .int8 else {
        throw ApusError(.argument, "a type of activations, for \(target.rawValue)", expected: "int8")
      }
      if let activations, activations != .int8, methods != nil {
        throw ApusError(
          .argument, "a way to ranges, for activations of \(activations.rawValue)",
          expected: "int8 activations")
      }
      var options = TFLiteQuantizer.Options(target)
      if let activations { options.activations = activations }
      options.calibration = calibration
      options.takesFloats = takesFloats
      options.kept = allKept
      options.mixture = mixture
      options.memory = memory
      if let methods { options.methods = methods }
      options.preprocessing = preprocessing
      options.replaces = replaces
      options.threads = max(1, threads)
      return options
    }

    private var allKept: [String] { kept + (mixture?.taken?.kept ?? []).map(LayerPatterns.pattern) }

    private func requireIntegersToKeep() throws(ApusError) {
      guard kept.isEmpty || target == .int8 || target == .int4 else {
        throw ApusError(
          .argument, "names of layers to keep, for \(target.rawValue)", expected: "int8 or int4")
      }
    }

    private func requireInt4ForGroups() throws(ApusError) {
      guard let groupSize else { return }
      guard target == .int4 else {
        throw ApusError(.argument, "a size of groups, for \(target.rawValue)", expected: "int4")
      }
      guard Self.groupSizes.contains(groupSize), groupSize % 8 == 0 else {
        throw ApusError(
          .argument, "groups of \(groupSize)",
          expected: "a multiple of 8 from \(Self.groupSizes.lowerBound) to \(Self.groupSizes.upperBound)")
      }
    }

    private static let groupSizes = 8...4096

    func ofFolder() throws(ApusError) -> FolderQuantizer.Options {
      guard activations == nil, methods == nil, !takesFloats, preprocessing == nil else {
        throw ApusError(.argument, "options for TFLite files with a model folder", expected: "none of them")
      }
      try requireIntegersToKeep()
      try requireInt4ForGroups()
      var options = FolderQuantizer.Options(target)
      if let groupSize { options.groupSize = groupSize }
      options.kept = allKept
      options.mixture = mixture
      options.calibration = calibration
      options.progress = progress
      options.replaces = replaces
      options.threads = max(1, threads)
      return options
    }
  }
}
