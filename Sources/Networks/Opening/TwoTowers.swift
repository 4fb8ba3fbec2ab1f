import Formats
import Models
import TensorCore

/// The networks of a model with two towers, and how their embeddings are compared.
package struct TwoTowers: Sendable {
  package let image: Network
  package let text: Network
  package let comparison: DualEncoder
  /// What the model itself says that cosines are multiplied by; nil where it does not, and a caller may say it for the model.
  package let ownScale: Float?
  /// What people should know of the comparison.
  package var notes: [String] = []
}

extension OpenedModel {
  /// This folder's tower for pictures, and the tower for texts of another folder.
  /// - Parameters:
  ///   - texts: the folder with the tower for texts.
  ///   - scale: what cosines are multiplied by; nil for what the folders say.
  ///   - bias: what is added then; nil for what the folders say.
  /// - Throws: ``ApusError`` with the folder at fault: of kind `unsupportedModel` for one that has not the tower that it
  ///   is named for; of kind `argument` for a model that has both, for folders that are swapped, for towers that do not
  ///   belong together, and where nobody says how embeddings are compared.
  package func dualEncoder(
    with texts: OpenedModel, scale: Float?, bias: Float?
  ) throws(ApusError) -> TwoTowers {
    if case .dualEncoder = task {
      throw ApusError(
        .argument, "the model has a tower for texts of its own", expected: "a tower for pictures alone",
        file: path, advice: "Leave out --text-model, in a program the option textModel.")
    }
    try requireOrder(texts)
    let (pair, image) = try tower(
      .image,
      "CLIP's or SigLIP's tower for pictures, with its projection: CLIPVisionModelWithProjection or SiglipVisionModel"
    )
    let (other, text) = try texts.tower(
      .text,
      "CLIP's or SigLIP's tower for texts, with its projection: CLIPTextModelWithProjection or SiglipTextModel"
    )
    guard pair == other else {
      throw ApusError(
        .argument, "the tower for texts is of a \(other.rawValue), that for pictures of a \(pair.rawValue)",
        expected: "two of one model", file: texts.path)
    }
    if let width = image.towerWidth, let found = text.towerWidth, width != found {
      throw ApusError(
        .argument, "embeddings of texts with \(found) numbers",
        expected: "\(width), as those of pictures have", file: texts.path,
        advice: "The tower for pictures is that in \(path).")
    }
    let comparison = try naming(path) { () throws(ApusError) in
      try pair.comparison(of: [self, texts].compactMap(\.weights), scale: scale, bias: bias)
    }
    return TwoTowers(
      image: image, text: text, comparison: comparison.encoder, ownScale: comparison.learnedScale,
      notes: comparison.note.map { [$0] } ?? [])
  }

  /// The tower of that side, and the model that it belongs to.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for what is none, and for one that files beside it put to another use.
  private func tower(
    _ part: ModelPart, _ expected: String
  ) throws(ApusError) -> (pair: TowerPair, network: Network) {
    guard let pair, let found = try network(for: part) else { throw refusal(expected) }
    return (try pair.get(), found)
  }

  /// - Throws: ``ApusError`` of kind `argument` where this is the tower for texts, and the other folder has that for pictures.
  private func requireOrder(_ texts: OpenedModel) throws(ApusError) {
    guard pair != nil, texts.pair != nil, !takesPictures, texts.takesPictures else { return }
    throw ApusError(
      .argument, "the folders are swapped: this is the tower for texts", expected: "that for pictures",
      file: path,
      advice: """
        Give \(texts.path) as --model and this one as --text-model, in a program as the model and the option textModel.
        """)
  }

  /// What to do with one tower where both are needed; nil of what is no such tower.
  var pairAdvice: String? {
    guard case .success(let pair)? = self.pair else { return nil }
    return takesPictures
      ? "It is \(pair.rawValue)'s tower for pictures alone. Name the folder of that for texts, too: --text-model of 'apus "
        + "zero-shot' and 'apus serve', textModel of ZeroShotClassifier.Options."
      : "It is \(pair.rawValue)'s tower for texts alone. Name the folder of that for pictures as the model, and this one as "
        + "--text-model of 'apus zero-shot' and 'apus serve', textModel of ZeroShotClassifier.Options."
  }

  private var weights: SafetensorsCollection? {
    if case .folder(_, let weights) = source { weights } else { nil }
  }
}
