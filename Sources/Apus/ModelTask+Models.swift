import Networks
import TensorCore

extension ModelTask {
  /// The tasks of a model, from its configuration and networks; weights are not read.
  ///
  ///     print(try ModelTask.all(of: "openai/clip-vit-base-patch32"))
  ///
  /// A `.tflite` file does not say whether its outputs are scores of classes or a vector: it counts as a classifier.
  /// - Parameter model: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used.
  public static func all(of model: String) throws(ApusError) -> Set<ModelTask> {
    try all(of: OpenedModel(model))
  }

  /// The tasks of a model with towers in two folders (``ZeroShotClassifier/Options/textModel``): the tasks of each folder,
  /// and ``zeroShot``.
  /// - Parameters:
  ///   - model: the folder of the tower for pictures, or its name in the local Hugging Face cache.
  ///   - textModel: the folder of the text tower.
  ///   - logitScale: the factor of cosines; nil for the folders' own.
  ///   - logitBias: the bias added then; nil for the folders' own.
  /// - Throws: ``ApusError``: as ``ZeroShotClassifier/init(_:options:)`` for the folders; of kind `argument` for towers that
  ///   do not belong together, or without a scale and bias for comparisons.
  public static func all(
    of model: String, textModel: String, logitScale: Float? = nil, logitBias: Float? = nil
  ) throws(ApusError) -> Set<ModelTask> {
    try all(
      of: model,
      options: ZeroShotClassifier.Options(textModel: textModel, logitScale: logitScale, logitBias: logitBias))
  }

  /// The tasks of a model by the options of a ``ZeroShotClassifier``: in two folders if they name a text model.
  public static func all(
    of model: String, options: ZeroShotClassifier.Options
  ) throws(ApusError) -> Set<ModelTask> {
    guard let textModel = options.textModel else { return try all(of: model) }
    let (pictures, texts) = (try OpenedModel(model), try OpenedModel(textModel))
    _ = try options.reading.towers(pictures, texts)
    return try all(of: pictures).union(try all(of: texts)).union([.zeroShot])
  }

  private static func all(of opened: OpenedModel) throws(ApusError) -> Set<ModelTask> {
    let pictures = try opened.network(for: .image)
    let takesTexts = try opened.network(for: .text) != nil
    var tasks: Set<ModelTask> = [.tensors]
    switch opened.outputs {
    case .dualEncoder:
      tasks.formUnion([.imageEmbedding, .textEmbedding])
      if pictures != nil, takesTexts { tasks.insert(.zeroShot) }
    case .encoder: tasks.insert(takesTexts ? .textEmbedding : .imageEmbedding)
    case .classifier: tasks.insert(takesTexts ? .textClassification : .imageClassification)
    case .unstated:
      if takesTexts { tasks.insert(.textClassification) }
      if let pictures, try opened.takesPicture(pictures) { tasks.insert(.imageClassification) }
    }
    return tasks
  }
}

extension OpenedModel {
  /// Whether a network's only input can be a picture.
  fileprivate func takesPicture(_ network: Network) throws(ApusError) -> Bool {
    let inputs = try network.inputs()
    guard inputs.count == 1 else { return false }
    // A damaged file beside the model is no sign of another kind of model.
    _ = try preparation.metadata(for: inputs[0].type)
    return (try? preparation.pictures(for: inputs[0].type, requested: nil, metadata: nil)) != nil
  }
}
