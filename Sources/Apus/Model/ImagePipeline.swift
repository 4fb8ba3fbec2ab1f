import Graph
import Images
import Models
import TensorCore

/// From pictures to the output of an image model: decoding, preprocessing, a run.
struct ImagePipeline: Sendable {
  let preprocessor: Preprocessor
  let model: Model
  private let limits: ImageLimits
  private let imageOptions: ImageOptions

  /// What one picture gave.
  struct Output {
    let values: [Float]
    /// Decoding, preprocessing, the run; ranking is the caller's.
    let decode: Double
    let preprocess: Double
    let run: Double
  }

  init(
    _ tower: any ImageTower, profile: PreprocessingProfile, path: String, options: ModelOptions,
    limits: ImageLimits, image: ImageOptions
  ) throws(ApusError) {
    let graph = try naming(path) { () throws(ApusError) in try tower.graph(batch: 1) }
    model = try Model(path: path, graph: graph, options: options)
    preprocessor = try naming(path) { [model] () throws(ApusError) in
      try Preprocessor(profile, input: model.inputs[0].type)
    }
    self.limits = limits
    imageOptions = image
  }

  /// The model's first output for a picture.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, `cancelled`.
  func output(_ picture: Picture, isCancelled: () -> Bool) throws(ApusError) -> Output {
    guard !isCancelled() else { throw ApusError(.cancelled, "the work was cancelled") }
    var watch = Stopwatch()
    let image = try picture.decoded(limits: limits, options: imageOptions)
    let decode = watch.lap()
    let output = try output(image, named: picture.path ?? "picture", isCancelled: isCancelled)
    return Output(
      values: output.values, decode: decode, preprocess: output.preparation, run: output.run)
  }

  /// The model's first output for a decoded picture.
  /// - Parameters:
  ///   - other: what prepares the picture in place of the model's own preprocessor.
  ///   - name: the picture's name in errors.
  func output(
    _ image: RGBImage, preparedBy other: Preprocessor? = nil, named name: String, isCancelled: () -> Bool
  ) throws(ApusError) -> ClassOutputs {
    try model.withWorkspace { (workspace) throws(ApusError) in
      var watch = Stopwatch()
      try naming(name) { () throws(ApusError) in
        try (other ?? preprocessor).write(image, into: workspace.inputBytes(0))
      }
      let preparation = watch.lap()
      try workspace.run(isCancelled: isCancelled)
      let values = try workspace.output(0).elements(of: Float.self)
      return ClassOutputs(
        values: values, preparation: preparation, run: watch.lap(),
        workspaceByteCount: model.workspaceByteCount)
    }
  }
}
