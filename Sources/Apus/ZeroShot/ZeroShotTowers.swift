import Networks
import TensorCore

/// The networks of a zero-shot classifier, and the folders that they are in: one with both, or one for each.
struct ZeroShotTowers {
  let pictures: OpenedModel
  let texts: OpenedModel
  let networks: TwoTowers

  /// - Throws: ``ApusError`` with the folder at fault: what ``ZeroShotClassifier/init(_:options:)`` throws for it.
  init(
    _ model: String, _ options: ZeroShotClassifier.Options, _ loading: inout Loading
  ) throws(ApusError) {
    var stages: [LoadStage] = [.tokenizer, .text, .image]
    if options.textModel != nil { stages.insert(.open, at: 0) }
    if !options.labels.isEmpty { stages.append(.labels) }
    pictures = try loading.open(model, options.inference, then: stages)
    guard let textModel = options.textModel else {
      texts = pictures
      networks = try pictures.dualEncoder(expected: "an image and a text tower, as CLIP and SigLIP have")
      return
    }
    texts = try loading.stage(.open) { () throws(ApusError) in try OpenedModel(textModel) }
    networks = try options.reading.towers(pictures, texts)
  }
}
