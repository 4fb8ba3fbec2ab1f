import Graph
import Images
import Networks
import TensorCore

extension ImageClassifier {
  /// How pictures become the model's input.
  package var preprocessor: Preprocessor { model.images.preprocessor }

  /// Where the `meta.json` is that is read, or would be.
  package var metadataPath: String { model.images.preparation.metadataPath }

  /// Whether outputs have features: they are read, and the network has a last layer that multiplies some.
  package var showsFeatures: Bool { model.images.featureCount != nil }

  /// The compiled model.
  package var network: Model { model.images.model }

  /// The network for one picture as the file or folder has it, before any pass.
  package func graph() throws(ApusError) -> Graph { try model.images.graph() }

  /// The model's outputs for a decoded picture.
  /// - Parameter other: what prepares the picture in place of the classifier's own; it must write an input of the
  ///   same type.
  /// - Throws: ``ApusError``: kind `image` or `configuration` for the picture, `unsupportedModel` for an output
  ///   that is not of numbers, `cancelled`.
  package func outputs(
    for image: RGBImage, preparedBy other: Preprocessor? = nil,
    isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(ApusError) -> ClassOutputs {
    try model.images.outputs(for: image, preparedBy: other, isCancelled: isCancelled)
  }

  /// The score of each class.
  /// - Throws: ``ApusError`` of kind `malformedModel` when an output is NaN or infinite.
  package func scores(of outputs: ClassOutputs) throws(ApusError) -> [Float] {
    try model.scores(outputs).values
  }

  /// The score below which an answer is uncertain; nil where scores do not say how sure the model is.
  package var lowestScore: Float? { model.lowestScore }

  /// Whether a picture is foreign to the model; false where it carries no rejection.
  package func isForeign(_ outputs: ClassOutputs) -> Bool { model.noveltyCheck?(outputs).isForeign ?? false }

  /// The meaning of the outputs.
  package var meaning: ScoreMeaning { model.meaning }

  /// Whether scores are probabilities; a regression gives quantities of any size.
  public var givesProbabilities: Bool { meaning.givesProbabilities }

  /// The names of the classes as people read them: a class whose name is empty has its number.
  package var shownLabels: [String] { model.labels.shown }
}
