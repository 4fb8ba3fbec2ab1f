import Networks
import TensorCore

/// A class of this library that opens models.
public enum ModelClass: String, Sendable, Hashable, Codable, CaseIterable {
  /// ``ImageClassifier``.
  case imageClassifier
  /// ``ZeroShotClassifier``.
  case zeroShotClassifier
  /// ``TextClassifier``.
  case textClassifier
  /// ``ImageEmbedder``.
  case imageEmbedder
  /// ``TextEmbedder``.
  case textEmbedder
  /// ``InferenceSession``, which opens every model.
  case inferenceSession

  /// What a model is made for, as its configuration and networks say it; its weights are not read.
  ///
  ///     print(try ModelClass.all(of: "openai/clip-vit-base-patch32"))
  ///
  /// A `.tflite` file does not say whether its outputs are scores of classes or a vector: it counts as a classifier.
  /// - Parameter model: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used.
  public static func all(of model: String) throws(ApusError) -> Set<ModelClass> {
    try all(of: OpenedModel(model))
  }

  /// The same of a model whose towers are in two folders (``ZeroShotClassifier/Options/textModel``): what each is made for, and
  /// ``zeroShotClassifier``.
  /// - Parameters:
  ///   - model: the folder of the tower for pictures, or its name in the local Hugging Face cache.
  ///   - textModel: that of the tower for texts.
  ///   - logitScale: the number by which cosines are multiplied; nil for what the folders say.
  ///   - logitBias: what is added then; nil for what the folders say.
  /// - Throws: ``ApusError``: as ``ZeroShotClassifier/init(_:options:)`` for the folders; of kind `argument` for towers that
  ///   do not belong together, and where nobody says how embeddings are compared.
  public static func all(
    of model: String, textModel: String, logitScale: Float? = nil, logitBias: Float? = nil
  ) throws(ApusError) -> Set<ModelClass> {
    let (pictures, texts) = (try OpenedModel(model), try OpenedModel(textModel))
    _ = try pictures.dualEncoder(with: texts, scale: logitScale, bias: logitBias)
    return try all(of: pictures).union(try all(of: texts)).union([.zeroShotClassifier])
  }

  private static func all(of opened: OpenedModel) throws(ApusError) -> Set<ModelClass> {
    let pictures = try opened.network(for: .image)
    let takesTexts = try opened.network(for: .text) != nil
    var classes: Set<ModelClass> = [.inferenceSession]
    switch opened.task {
    case .dualEncoder:
      classes.formUnion([.imageEmbedder, .textEmbedder])
      if pictures != nil, takesTexts { classes.insert(.zeroShotClassifier) }
    case .encoder: classes.insert(takesTexts ? .textEmbedder : .imageEmbedder)
    case .classifier: classes.insert(takesTexts ? .textClassifier : .imageClassifier)
    case .unstated:
      if takesTexts { classes.insert(.textClassifier) }
      if let pictures, try opened.takesPicture(pictures) { classes.insert(.imageClassifier) }
    }
    return classes
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
