import Formats
import Models
import TensorCore

/// The networks of a model with two towers, and how their embeddings are compared.
package struct TwoTowers: Sendable {
  package let image: Network
  package let text: Network
  package let comparison: DualEncoder
  /// The model's own factor of cosines; nil if it has none and a caller may set it.
  package let ownScale: Float?
  /// Notes for people on the comparison.
  package var notes: [String] = []
}

extension OpenedModel {
  /// This folder's tower for pictures, and the tower for texts of another folder.
  /// - Parameters:
  ///   - texts: the folder with the tower for texts.
  ///   - scale: what cosines are multiplied by; nil for what the folders say.
  ///   - bias: what is added then; nil for what the folders say.
  /// - Throws: ``ApusError`` with the folder at fault: of kind `unsupportedModel` for one that has not the tower that it
  ///   is named for; of kind `argument` for a model that has both, for folders that are swapped or have the same tower, for
  ///   towers that do not belong together, and where nobody says how embeddings are compared.
  package func dualEncoder(
    with texts: OpenedModel, scale: Float?, bias: Float?
  ) throws(ApusError) -> TwoTowers {
    if case .dualEncoder = outputs {
      throw ApusError(
        .argument, "the model has a tower for texts of its own", expected: "a tower for pictures alone",
        file: path,
        advice: "Leave out \(Setting.textModel).")
    }
    try Self.requireOrder(self, texts)
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
      try pair.comparison(of: [self, texts].compactMap(\.form.tensors?.weights), scale: scale, bias: bias)
    }
    return TwoTowers(
      image: image, text: text, comparison: comparison.encoder, ownScale: comparison.learnedScale,
      notes: texts.preparation.notes + (comparison.note.map { [$0] } ?? []))
  }

  /// The tower of that side, and the model that it belongs to.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for what is none, and for one that files beside it put to another use.
  private func tower(
    _ part: ModelPart, _ expected: String
  ) throws(ApusError) -> (pair: TowerPair, network: Network) {
    guard let pair = form.pair, let found = try network(for: part) else { throw refusal(expected) }
    return (try pair.get(), found)
  }

  /// - Throws: ``ApusError`` of kind `argument` where both are towers, but not the first that for pictures and the other that
  ///   for texts.
  private static func requireOrder(_ pictures: OpenedModel, _ texts: OpenedModel) throws(ApusError) {
    guard pictures.form.pair != nil, texts.form.pair != nil else { return }
    switch (pictures.takesPictures, texts.takesPictures) {
    case (true, false): return
    case (false, true):
      throw ApusError(
        .argument, "the folders are swapped: this is the tower for texts", expected: "that for pictures",
        file: pictures.path,
        advice: "Give \(texts.path) as \(Setting.model) and this one as \(Setting.textModel).")
    case (true, true):
      throw ApusError(
        .argument, "the tower for pictures is given twice", expected: "that for texts", file: texts.path,
        advice: "Give the folder of that for texts as \(Setting.textModel).")
    case (false, false):
      throw ApusError(
        .argument, "the tower for texts is given twice", expected: "that for pictures", file: pictures.path,
        advice: "Give the folder of that for pictures as \(Setting.model).")
    }
  }

  /// Advice for one tower where both are needed; nil for other models.
  var pairAdvice: String? {
    guard case .success(let pair)? = form.pair else { return nil }
    return takesPictures
      ? "It is \(pair.rawValue)'s tower for pictures alone. Name the folder of that for texts, too: \(Setting.textModel)."
      : "It is \(pair.rawValue)'s tower for texts alone. Name the folder of that for pictures as the model, and this one as "
        + "\(Setting.textModel)."
  }
}
