import Formats
import Graph
import Images
import TensorCore

/// A model that was found to be an image classifier, with all that is needed to use it as one.
struct ClassifierModel: Sendable {
  let model: Model
  let preprocessor: Preprocessor
  let labels: ClassLabels
  let threshold: Float
  /// What the output is; nil when each result shall show it.
  let meaning: ScoreMeaning?
  let classCount: Int

  /// - Throws: ``ApusError`` with the file's name when the model is not one picture in, one list of scores out.
  init(_ path: String, labels labelPath: String?, options: ImageClassifier.Options) throws(ApusError) {
    let file = try ModelFile(path)
    let sidecar = try options.metadata.map { path throws(ApusError) in
      try ClassifierMetadata(contentsOf: path)
    }
    let metadata = try file.metadata()
    let model = try Model(file, options: ModelOptions(threads: options.threads))
    self.model = model
    let input = try Self.single(model.inputs, "input", of: path, expected: "one picture")
    guard let output = model.outputs.first?.type else {
      throw ApusError(.unsupportedModel, "the model has no output", expected: "one of scores", file: path)
    }
    classCount = try Self.classCount(output, file: path)

    let tensor = metadata?.subgraphs.first?.inputs.first
    preprocessor = try file.inFile { () throws(ApusError) in
      let profile = try InputRecipe.profile(
        requested: options.preprocessing, sidecar: sidecar, tensor: tensor, input: input)
      return try Preprocessor(profile, input: input)
    }
    try Self.check(sidecar, options.metadata, preprocessor.size)
    labels = try ClassLabels(
      path: labelPath, file: file, metadata: metadata, output: 0, classCount: classCount)
    threshold = options.threshold ?? sidecar?.threshold ?? ImageClassifier.Options.standardThreshold
    meaning = options.scores ?? ScoreMeaning(ofOutput: 0, of: model.compiled.graph)
  }

  private static func single(
    _ values: [ValueInfo], _ role: String, of path: String, expected: String
  ) throws(ApusError) -> TensorType {
    guard values.count == 1 else {
      throw ApusError(
        .unsupportedModel, "the model has \(values.count) \(role)s", expected: expected, file: path,
        advice: "It is no image classifier; 'apus run' runs any model.")
    }
    return values[0].type
  }

  /// The scores of one picture lie along one axis; every other has extent 1.
  private static func classCount(_ output: TensorType, file: String) throws(ApusError) -> Int {
    let shape = output.shape
    guard shape.elementCount > 0, shape.dimensions.contains(shape.elementCount) else {
      throw ApusError(
        .unsupportedModel, "an output of shape \(shape)", expected: "[1, classes]", file: file,
        advice: "The model is no image classifier; 'apus run' runs any model.")
    }
    return shape.elementCount
  }

  private static func check(
    _ sidecar: ClassifierMetadata?, _ path: String?, _ size: PixelSize
  ) throws(ApusError) {
    guard let stated = sidecar?.inputSize, stated != [size.height, size.width] else { return }
    throw ApusError(
      .configuration, "input_size is \(stated)", expected: "[\(size.height), \(size.width)], as in the model",
      file: path, advice: "The metadata belong to another model.")
  }
}
