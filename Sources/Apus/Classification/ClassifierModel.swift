import Formats
import Graph
import Images
import Models
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

  /// The time that each part of loading took.
  let loadMilliseconds: LoadMilliseconds

  /// - Parameter path: a `.tflite` file, a model folder, or the name of one in the Hugging Face cache.
  /// - Throws: ``ApusError`` with the file's name when the model is not one picture in, one list of scores out.
  init(_ path: String, labels: String?, options: ImageClassifier.Options) throws(ApusError) {
    switch ModelSource(path) {
    case .folder: try self.init(folder: path, labels: labels, options: options)
    case .tflite, .safetensors: try self.init(file: path, labels: labels, options: options)
    }
  }

  private init(file path: String, labels labelPath: String?, options: ImageClassifier.Options)
    throws(ApusError)
  {
    var watch = Stopwatch()
    var milliseconds = LoadMilliseconds()
    let file = try ModelFile(path)
    let metadata = try file.metadata()
    milliseconds.open = watch.lap()
    let model = try Model(file, options: ModelOptions(options.inference))
    milliseconds.compile = watch.lap()
    loadMilliseconds = milliseconds
    self.model = model
    let input = try Self.single(model.inputs, "input", of: path, expected: "one picture")
    guard let output = model.outputs.first?.type else {
      throw ApusError(.unsupportedModel, "the model has no output", expected: "one of scores", file: path)
    }
    let classCount = try Self.classCount(output, file: path)
    self.classCount = classCount
    let companions = CompanionFiles(beside: path)
    let sidecar = try Self.sidecar(options) ?? companions.metadata(for: input)

    let tensor = metadata?.subgraphs.first?.inputs.first
    preprocessor = try file.inFile { () throws(ApusError) in
      let profile = try InputRecipe.profile(
        requested: options.preprocessing, sidecar: sidecar, tensor: tensor, input: input)
      return try Preprocessor(profile, input: input)
    }
    try Self.check(sidecar, options.metadata, preprocessor.size)
    labels = try ClassLabels(path: labelPath, model: path, classCount: classCount) { () throws(ApusError) in
      let own = try file.inFile { () throws(ApusError) in
        try metadata?.labels(ofOutput: 0, in: file.bytes)?.labels
      }
      return own ?? companions.labels(classCount: classCount)
    }
    threshold = options.threshold ?? sidecar?.threshold ?? ImageClassifier.Options.standardThreshold
    meaning = options.scores ?? ScoreMeaning(ofOutput: 0, of: model.compiled.graph)
  }

  private init(
    folder name: String, labels labelPath: String?, options: ImageClassifier.Options
  ) throws(ApusError) {
    var loading = FolderLoading(name)
    let folder = try loading.open()
    let named = try Self.sidecar(options)
    guard case .imageClassifier(let classifier) = folder.architecture else {
      throw folder.refusal("an image classifier, such as ViT or MobileNetV2")
    }
    let model = try loading.compile { () throws(ApusError) in
      let graph = try naming(folder.path) { () throws(ApusError) in try classifier.tower.graph(batch: 1) }
      return try Model(
        path: folder.path, graph: graph, options: folder.options(options.inference))
    }
    self.model = model
    loadMilliseconds = loading.milliseconds
    classCount = classifier.classCount
    let sidecar = named ?? CompanionFiles(in: folder.path).metadata(for: model.inputs.first?.type)
    var requested = options.preprocessing
    if requested == nil { requested = try sidecar?.profile() }
    let profile = try folder.profile(requested, for: classifier.tower)
    preprocessor = try naming(folder.path) { () throws(ApusError) in
      try Preprocessor(profile, input: model.inputs[0].type)
    }
    try Self.check(sidecar, options.metadata, preprocessor.size)
    labels = try ClassLabels(path: labelPath, model: folder.path, classCount: classCount) {
      () throws(ApusError) in classifier.labels
    }
    threshold = options.threshold ?? sidecar?.threshold ?? ImageClassifier.Options.standardThreshold
    meaning = options.scores ?? ScoreMeaning(classifier.scoring)
  }

  private static func sidecar(_ options: ImageClassifier.Options) throws(ApusError) -> ClassifierMetadata? {
    try options.metadata.map { path throws(ApusError) in try ClassifierMetadata(contentsOf: path) }
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
