import Images
import TensorCore

extension ModelQuantizer {
  /// The type of a model's weights, and how they get it.
  public struct Options: Sendable {
    /// The form in which weights are to be stored.
    public var target: QuantizationTarget
    /// A folder or file with samples of what the model will be given: pictures, `.npy` files of the input's shape, or
    /// texts, one on each line of a `.txt` or `.tsv` file. For int8 only, where a `.tflite` file needs it, and a folder
    /// errs less with it.
    public var calibration: String?
    /// Of a folder: shell patterns of the names of weights that do not become int8.
    public var kept: [String] = []
    /// Of a file: the ways to the ranges of activations that are tried; nil for all.
    public var methods: [RangeMethod]?
    /// Of a file: whether inputs and outputs of an int8 model stay float32.
    public var takesFloats = false
    /// Of a file: how pictures are prepared; nil for as its classifier prepares them.
    public var preprocessing: PreprocessingProfile?
    /// Whether a model that is there already is replaced. Nothing else ever is.
    public var replaces = false
    /// Threads that may be used, at least 1.
    public var threads = 1
    /// Told what is being done, where that takes long.
    public var progress: @Sendable (String) -> Void = { _ in }

    /// - Parameters:
    ///   - target: the form in which weights are to be stored.
    ///   - calibration: a folder or file with samples of what the model will be given; for int8 only.
    public init(_ target: QuantizationTarget, calibration: String? = nil) {
      (self.target, self.calibration) = (target, calibration)
    }

    func ofFile() throws(ApusError) -> TFLiteQuantizer.Options {
      guard kept.isEmpty else {
        throw ApusError(.argument, "names of weights to keep, for a TFLite file", expected: "a model folder")
      }
      var options = TFLiteQuantizer.Options(target)
      options.calibration = calibration
      options.takesFloats = takesFloats
      if let methods { options.methods = methods }
      options.preprocessing = preprocessing
      options.replaces = replaces
      options.threads = max(1, threads)
      return options
    }

    func ofFolder() throws(ApusError) -> FolderQuantizer.Options {
      guard methods == nil, !takesFloats, preprocessing == nil else {
        throw ApusError(.argument, "options for TFLite files with a model folder", expected: "none of them")
      }
      guard kept.isEmpty || target == .int8 else {
        throw ApusError(.argument, "names of weights to keep, for \(target.rawValue)", expected: "int8")
      }
      var options = FolderQuantizer.Options(target)
      options.kept = kept
      options.calibration = calibration
      options.progress = progress
      options.replaces = replaces
      options.threads = max(1, threads)
      return options
    }
  }
}
