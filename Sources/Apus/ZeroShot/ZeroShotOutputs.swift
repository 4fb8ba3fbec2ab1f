import Graph
import Images
import Networks
import TensorCore
import Text

extension ZeroShotClassifier {
  /// How pictures become the model's input.
  package var preprocessor: Preprocessor { images.preprocessor }

  /// Where the `meta.json` is that is read, or would be.
  package var metadataPath: String { images.preparation.metadataPath }

  /// The compiled network for pictures.
  package var network: Model { images.model }

  /// The network for one picture as the folder has it, before any pass.
  package func imageGraph() throws(ApusError) -> Graph { try images.graph() }

  /// The logit of each label for a decoded picture. The time of embedding the labels, which the first call does,
  /// is not counted.
  /// - Parameter other: what prepares the picture in place of the model's own preprocessor; it must write an input
  ///   of the same type.
  /// - Throws: ``ApusError``: kind `image` or `configuration` for the picture, `argument` for the labels,
  ///   `cancelled`.
  package func outputs(
    for image: RGBImage, labels: [String], preparedBy other: Preprocessor? = nil,
    isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(ApusError) -> ClassOutputs {
    let described = try labelEmbedders.embedder(masksPadding: nil).embed(
      labels, in: templates, isCancelled: isCancelled)
    let seen = try images.outputs(for: image, preparedBy: other, isCancelled: isCancelled)
    // What is not finite stays so in the logits.
    let logits = LabelLogits(
      picture: Vectors.unit(seen.values), labels: described.embeddings, scale: scaling.scale,
      bias: scaling.bias
    ).logits
    return ClassOutputs(
      values: seen.values.allSatisfy(\.isFinite) ? logits : logits.map { _ in .nan },
      features: seen.features, preparation: seen.preparation, run: seen.run,
      workspaceByteCount: seen.workspaceByteCount)
  }

  /// Whether a picture is foreign to the model; false where it carries no rejection.
  package func isForeign(_ outputs: ClassOutputs) -> Bool { noveltyCheck?(outputs).isForeign ?? false }

  /// The input of the last layer that takes a picture's places, as a mean over them, for a classifier that was opened for
  /// calibration.
  package func features(of image: RGBImage) throws(ApusError) -> [Float] {
    try images.outputs(for: image, isCancelled: { Task.isCancelled }).features
  }

  /// The tokens of a sentence as the model takes them.
  package func encode(_ text: String) throws(ApusError) -> Encoding { try texts.encode(words: text) }

  /// The score of each label, as the model's scoring reads logits.
  /// - Throws: ``ApusError`` of kind `malformedModel` when a logit is NaN or infinite.
  package func scores(of outputs: ClassOutputs) throws(ApusError) -> [Float] {
    try ClassScores(outputs.values, meaning: meaning, temperature: temperature, model: path).values
  }

  /// The meaning of the outputs.
  package var meaning: ScoreMeaning { scoring == .softmax ? .logits : .independentLogits }
}
